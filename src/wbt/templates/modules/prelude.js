// Runs first in every template's context. Templates must write the same text on every machine and
// at every time, and must not reach anything but their own fields: the clock stands still, random
// numbers are seeded, and files are an error.
'use strict';

(() => {
  const message = globalThis.__message;
  delete globalThis.__message;

  // Node by node: what JSON calls null is a NULL node, which templates know as undefined.
  const parse = (json) => JSON.parse(json, (key, value) => (value === null ? undefined : value));
  globalThis.fields = parse(globalThis.__fields);
  globalThis.context = parse(globalThis.__context);
  delete globalThis.__fields;
  delete globalThis.__context;

  const modules = Object.create(null);
  globalThis.__modules = modules;
  globalThis.__import = (name, wanted = []) => {
    for (const item of wanted) {
      if (!(item in modules[name])) {
        throw new SyntaxError(`module '${name}' has no '${item}'`);
      }
    }
    return modules[name];
  };

  const show = (value) => {
    if (typeof value !== 'object' || value === null) return String(value);
    try {
      return JSON.stringify(value);
    } catch (error) {
      return String(value);
    }
  };
  globalThis.console = {};
  for (const level of ['log', 'info', 'debug', 'warn', 'error']) {
    globalThis.console[level] = (...values) => {
      message(level, values.map(show).join(' '), new Error().stack);
    };
  }

  globalThis.wbfile = {};
  for (const name of ['fileExists', 'readTextFile', 'writeTextFile']) {
    globalThis.wbfile[name] = () => {
      throw new Error(`wbfile.${name} is not available: templates have no files`);
    };
  }

  const TrueDate = Date;
  function FixedDate(...values) {
    if (!new.target) return new TrueDate(0).toString();
    return values.length > 0 ? new TrueDate(...values) : new TrueDate(0);
  }
  FixedDate.prototype = TrueDate.prototype;
  FixedDate.prototype.constructor = FixedDate;
  FixedDate.now = () => 0;
  FixedDate.parse = TrueDate.parse;
  FixedDate.UTC = TrueDate.UTC;
  globalThis.Date = FixedDate;

  // The same generator as wbrandom, begun by the node's id.
  let state = 0;
  for (const letter of String(globalThis.context.id)) {
    state = (state * 31 + letter.codePointAt(0)) % 16777216;
  }
  Math.random = () => {
    state = (1140671485 * state + 12820163) % 16777216;
    return state / 16777216;
  };

  // Other ways to the clock, to threads or to the garbage collector's moods.
  for (const name of ['Intl', 'Atomics', 'SharedArrayBuffer', 'WebAssembly', 'WeakRef',
    'FinalizationRegistry']) {
    delete globalThis[name];
  }
})();
