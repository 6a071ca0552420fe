// The window of a robot: its page, as a project of Webots has it, talks with the robot's controller; and nobody
// gets files from beside it. In Chromium, too, where there is one. Argument: the program protobeam.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const {WebSocket} = require('ws');
const {Browser, Run, hasBrowser, soon} = require('./run.js');

const [program] = process.argv.slice(2);
const project = fs.mkdtempSync(path.join(os.tmpdir(), 'protobeam-window-'));
process.on('exit', () => fs.rmSync(project, {recursive: true, force: true}));
function write(name, text) {
  const file = path.join(project, name);
  fs.mkdirSync(path.dirname(file), {recursive: true});
  fs.writeFileSync(file, text);
}

write('worlds/w.wbt', `#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot { name "my robot" window "panel" controller "echo" }
Robot { name "plain" controller "echo" }
Robot { name "aged" window "old" controller "echo" }
`);
write('controllers/echo/echo.py', `from controller import Robot

robot = Robot()
count = 0
while robot.step(16) != -1:
    text = robot.wwiReceiveText()
    while text:
        count += 1
        robot.wwiSendText(f"{robot.name} got {text} as number {count}")
        text = robot.wwiReceiveText()
    if robot.getName() == "plain" and count == 0:
        robot.wwiSendText("is there anybody?")
        count = 1
`);
write('plugins/robot_windows/panel/panel.html', `<!DOCTYPE html>
<html><body><p id="said"></p><script type="module" src="panel.js"></script></body></html>
`);
write('plugins/robot_windows/panel/panel.js', `import RobotWindow from 'https://cyberbotics.com/wwi/R2025a/RobotWindow.js';
window.robotWindow = new RobotWindow();
window.robotWindow.setTitle('A panel');
window.robotWindow.receive = (message, robot) => { document.getElementById('said').textContent = robot + ': ' + message; };
`);
// As before R2022b.
write('plugins/robot_windows/old/old.html', `<html>
<head class="x"><title>Old</title></head>
<body><p id="said"></p><script>
window.onload = () => {
  const own = webots.window('old');
  own.receive = message => { document.getElementById('said').textContent = message; };
  own.send('from long ago');
};
</script></body></html>
`);
write('plugins/robot_windows/shared/style.css', 'p { color: red; }');
write('plugins/secret.txt', 'not for everybody');
fs.symlinkSync('../../secret.txt', path.join(project, 'plugins/robot_windows/panel/link.txt'));

function get(address, where) {
  const {hostname, port} = new URL(address);
  return new Promise((resolve, reject) => http.get({hostname, port, path: where}, answer => {
    let body = '';
    answer.on('data', part => { body += part; });
    answer.on('end', () => resolve({status: answer.statusCode, type: answer.headers['content-type'], body}));
  }).on('error', reject));
}

async function main() {
  const run = new Run(program, path.join(project, 'worlds/w.wbt'), '--duration', '100000', '--realtime');
  const address = await run.address();
  const live = new WebSocket(address.replace('http', 'ws') + '/live');
  let world = null;
  live.on('message', (data, binary) => {
    const message = binary ? {} : JSON.parse(data);
    if (message.op === 'world') world = message;
  });
  await soon('the world', () => world);
  assert.deepEqual(world.windows, [
    {robot: 'my robot', url: '/robot_windows/panel/panel.html?name=my%20robot'}, {robot: 'aged', url: '/robot_windows/old/old.html?name=aged'}
  ]);

  const page = await get(address, world.windows[0].url);
  assert.equal(page.status, 200);
  assert.match(page.type, /^text\/html/);
  const script = await get(address, '/robot_windows/panel/panel.js');
  assert.match(script.type, /javascript/);
  assert.match(script.body, /from '\/wwi\/RobotWindow.js'/);
  assert.match((await get(address, '/wwi/RobotWindow.js')).body, /export default class RobotWindow/);
  assert.equal((await get(address, '/robot_windows/shared/style.css')).status, 200);
  for (const outside of ['/robot_windows/../secret.txt', '/robot_windows/panel/..%2f..%2fsecret.txt', '/robot_windows/panel/link.txt',
                         '/robot_windows//etc/passwd', '/robot_windows/panel/%00', '/robot_windows/panel', '/robot_windows/none.html']) {
    assert.equal((await get(address, outside)).status, 404, outside);
  }

  const socket = new WebSocket(address.replace('http', 'ws') + '/window?name=my%20robot');
  const said = [];
  socket.on('message', text => said.push(String(text)));
  await new Promise(resolve => socket.on('open', resolve));
  socket.send('hällo');
  socket.send('{"a": 1}');
  await soon('two answers', () => said.length >= 2);
  assert.deepEqual(said, ['my robot got hällo as number 1', 'my robot got {"a": 1} as number 2']);
  await soon('what the other robot says', () => /nobody can see a window of robot "plain"/.test(run.text));

  if (hasBrowser()) {
    const browser = new Browser();
    await browser.open();
    await browser.call('Page.navigate', {url: address + world.windows[0].url});
    await soon('what the page got', async () => await browser.ask('document.getElementById("said").textContent') ===
                                                  'my robot: my robot got init robot window as number 3');
    assert.equal(await browser.ask('document.title'), 'A panel');
    await browser.ask('window.robotWindow.send("pressed")');
    await soon('the answer', async () => /got pressed as number 4/.test(await browser.ask('document.getElementById("said").textContent')));
    await browser.call('Page.navigate', {url: address + world.windows[1].url});
    await soon('the old page', async () => await browser.ask('document.getElementById("said").textContent') ===
                                               'aged got from long ago as number 2');
    assert.deepEqual(browser.problems, []);
  }
  await run.end();
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
