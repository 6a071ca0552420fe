// A run that shows itself in browsers: `protobeam run ... --web=0`.
'use strict';
const readline = require('node:readline');
const {spawn} = require('node:child_process');

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/// Waits for what `ask` gives, if not null; up to two minutes, since machines are slow beside others.
async function soon(what, ask) {
  for (let i = 0; i < 1200; ++i) {
    const got = await ask();
    if (got !== null && got !== undefined && got !== false) return got;
    await sleep(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

class Run {
  text = '';
  constructor(program, ...words) {
    this.child = spawn(program, ['run', ...words, '--web=0'], {stdio: ['ignore', 'pipe', 'pipe']});
    for (const stream of [this.child.stdout, this.child.stderr])
      readline.createInterface({input: stream}).on('line', line => { this.text += line + '\n'; });
    this.ended = new Promise(resolve => this.child.on('close', (code, signal) => resolve(signal ?? code)));
    process.on('exit', () => this.child.kill('SIGKILL'));
  }
  /// "http://127.0.0.1:34567"
  address() {
    return soon('the address', () => /open (http:\S+) in a browser/.exec(this.text)?.[1]);
  }
  end() {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

module.exports = {Run, sleep, soon};
