// Runs the code of a script in QuickJS, a JavaScript engine that is compiled to WebAssembly: the code sees its data, and nothing of the process.
// Each run has an engine of its own with a memory that cannot grow; what goes in and out is text.

import type { newVariant as customize, QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { maxLine, maxLines, maxText, memoryBytes, type ScriptJob, type ScriptResult } from './script-job.js';

const pageBytes = 65_536;

type SyncVariant = Extract<Parameters<typeof customize>[0], { readonly type: 'sync' }>;
type Memory = NonNullable<Parameters<typeof customize>[1]['wasmMemory']>;

/** Node has it, its types name it only. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => Memory };
};

/** What a script finds besides its data. The functions of the engine are kept before the script can replace them. */
const prelude = `
  var module = { exports: undefined };
  Object.defineProperty(module, 'exports', { value: undefined, writable: true, enumerable: true, configurable: true });
  var process = { env: {} };
  var console = {};
  (function (say, stringify) {
    var tell = function () {
      var words = [];
      for (var i = 0; i < arguments.length; i++) words.push(typeof arguments[i] === 'string' ? arguments[i] : stringify(arguments[i]));
      say(words.join(' '));
    };
    ['log', 'info', 'warn', 'error', 'debug', 'trace'].forEach(function (name) { console[name] = tell; });
  })(globalThis.say, JSON.stringify);
  delete globalThis.say;
`;

/** Calls what the script exports and makes its result a text; both kinds of ends are told to the host. */
const call = `
  (function (parse, stringify, Promise, text, returned, failed) {
    var fail = function (error) {
      var reason = error instanceof Error ? error.name + ': ' + error.message : stringify(error);
      failed(String(reason));
    };
    try {
      var run = module.exports;
      if (typeof run !== 'function') throw new TypeError('The script exports no function: module.exports = async function (data) { … }');
      var data = parse(text);
      process.env = data.$env || {};
      Promise.resolve(run(data)).then(function (value) {
        var json = stringify(value);
        returned(typeof json === 'string' ? json : '');
      }).then(undefined, fail);
    } catch (error) { fail(error); }
  })
`;

export async function runCode({ code, data, timeoutMs }: ScriptJob): Promise<ScriptResult> {
  const said: string[] = [];
  const { newQuickJSWASMModuleFromVariant, newVariant } = await import('quickjs-emscripten-core');
  // Its types are those of its CommonJS form, where `default` is one step further away.
  const release = (await import('@jitl/quickjs-wasmfile-release-sync')).default as unknown as SyncVariant;
  // The engine asks for 16 MB at its start and cannot get more than this, whatever the script does.
  const wasmMemory = new webAssembly.Memory({ initial: 256, maximum: memoryBytes / pageBytes });
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(release, { wasmMemory }));
  const deadline = Date.now() + timeoutMs;
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(memoryBytes);
  runtime.setMaxStackSize(256 * 1024);
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const context = runtime.newContext();
  const end = runInside(context, runtime, { code, data }, said);
  if (end?.kind === 'returned') return { ...end, said };
  if (Date.now() > deadline) return { kind: 'failed', reason: tooLong(timeoutMs), said };
  return { kind: 'failed', reason: end?.reason ?? 'The script never ends: it waits for what nothing does.', said };
}

/** An engine without memory has none for an error either, and throws null. */
const withoutMemory = (reason: string): string => (reason === 'null' ? 'The script needs too much memory.' : reason.slice(0, maxLine));

const tooLong = (timeoutMs: number): string => `The script takes longer than ${timeoutMs / 1000} s.`;

type End = { readonly kind: 'returned'; readonly json: string | null } | { readonly kind: 'failed'; readonly reason: string };

/** null: it came to no end. Nothing is freed: the engine goes as a whole. */
function runInside(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  { code, data }: Pick<ScriptJob, 'code' | 'data'>,
  said: string[],
): End | null {
  const ends: End[] = [];
  const tell = (name: string, hear: (text: string) => void): QuickJSHandle =>
    context.newFunction(name, (text) => {
      hear(text === undefined ? '' : context.getString(text));
      return context.undefined;
    });
  context.setProp(
    context.global,
    'say',
    tell('say', (text) => void (said.length < maxLines && said.push(text.slice(0, maxLine)))),
  );
  const broken = failureOf(context, context.evalCode(prelude, 'prelude.js')) ?? failureOf(context, context.evalCode(code, 'script.js'));
  if (broken !== null) return broken;
  const begun = context.evalCode(call, 'call.js');
  if (begun.error !== undefined) return failureOf(context, begun);
  const intrinsic = (path: string): QuickJSHandle => context.unwrapResult(context.evalCode(path, 'intrinsic.js'));
  const returned = tell('returned', (json) => ends.push(returnedText(json)));
  const failed = tell('failed', (reason) => ends.push({ kind: 'failed', reason: withoutMemory(reason) }));
  const parts = [intrinsic('JSON.parse'), intrinsic('JSON.stringify'), intrinsic('Promise'), context.newString(data), returned, failed];
  const called = failureOf(context, context.callFunction(begun.value, context.undefined, ...parts));
  if (called !== null) return called;
  while (ends.length === 0 && runtime.hasPendingJob()) {
    const worked = runtime.executePendingJobs(1_000);
    if (worked.error !== undefined) return failureOf(context, worked);
  }
  return ends[0] ?? null;
}

function returnedText(json: string): End {
  if (json.length > maxText) return { kind: 'failed', reason: `The result of the script is larger than ${maxText} characters.` };
  return { kind: 'returned', json: json === '' ? null : json };
}

type Evaluated = { readonly error?: QuickJSHandle | undefined };

function failureOf(context: QuickJSContext, { error }: Evaluated): Extract<End, { kind: 'failed' }> | null {
  if (error === undefined) return null;
  // Reading members of what was thrown would run code of the script.
  const text = context.typeof(error) === 'string' ? context.getString(error) : describe(context, error);
  return { kind: 'failed', reason: withoutMemory(text) };
}

function describe(context: QuickJSContext, error: QuickJSHandle): string {
  const dumped: unknown = context.dump(error);
  if (typeof dumped !== 'object' || dumped === null) return String(dumped);
  const { name = 'Error', message = '' } = dumped as { readonly name?: unknown; readonly message?: unknown };
  return `${String(name)}: ${String(message)}`;
}
