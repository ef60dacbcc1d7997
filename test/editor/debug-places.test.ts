import { strictEqual } from 'node:assert';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyDebugged, debugged, Debugger } from './support/debugger.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('debugging wherever a component lies', () => {
  let debug: Debugger;

  suiteSetup(async () => {
    await startAfresh();
    await copyDebugged();
    debug = new Debugger();
  });
  teardown(() => debug.end());
  suiteTeardown(async () => {
    debug.dispose();
    await startAfresh();
  });
  // After the sources in it are gone.
  const atEnd = atEndOfSuite();

  const reserved = process.platform === 'win32' ? '100% #1' : '100% #1 why?';
  for (const name of ['with a space', 'Übungen 日本語', 'a [b] (c) & d', reserved]) {
    test(`a folder named ${name}`, async () => {
      const folder = inWorkspace(name);
      await copyDebugged(folder);
      await stopsInRun(path.join(folder, 'counter.ts'));
      await stopsInRun(path.join(folder, 'plain.mjs'));
    });
  }

  test('outside the folder of the window', async () => {
    const folder = temporaryFolder(atEnd);
    await copyDebugged(folder);
    await stopsInRun(path.join(folder, 'counter.ts'));
  });

  test('behind a symbolic link', async () => {
    const link = inWorkspace('linked');
    await symlink(debugged(), link, 'junction');
    await stopsInRun(path.join(link, 'counter.ts'));
  });

  for (const [what, change] of [
    ['with CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with a byte order mark', (text: string) => `\uFEFF${text}`],
  ] as const) {
    test(`a file ${what}`, async () => {
      const folder = inWorkspace(`written ${what}`);
      await mkdir(folder);
      const file = path.join(folder, 'plain.mjs');
      await writeFile(file, change(await readFile(debugged('plain.mjs'), 'utf8')));
      await stopsInRun(file);
    });
  }

  test('code on one line stops at the column', async () => {
    const file = inWorkspace('one-line.mjs');
    const code = `export default{name:"One line",props:{http:"$.interface.http"},run(e){const a=e.method;const b=a+"!";this.$emit({b})}};`;
    await writeFile(file, code);
    const column = code.indexOf('const b=');
    const stop = await stopsAt(file, new vscode.Position(0, column));
    strictEqual((await stop.variables())['a'], "'POST'");
    await stop.go('continue');
  });

  test('in an npm package, and in an app file of another folder', async () => {
    const written = async (file: string, code: string): Promise<string> => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, code);
      return file;
    };
    const tiny = inWorkspace('node_modules', 'tiny-package');
    await written(path.join(tiny, 'package.json'), '{"name":"tiny-package","main":"index.js"}');
    const inPackage = await written(
      path.join(tiny, 'index.js'),
      'exports.twice = function twice(n) {\n  return n * 2;\n};\n',
    );
    const app = await written(
      inWorkspace('apps', 'thing.app.mjs'),
      `import { twice } from 'tiny-package';
export default { type: 'app', app: 'thing', methods: {
  fetchIt(n) {
    return twice(n);
  },
} };
`,
    );
    const component = await written(
      inWorkspace('sources', 'things', 'things.mjs'),
      `import thing from '../../apps/thing.app.mjs';
const common = { props: { http: '$.interface.http' } };
export default { ...common, name: 'Things', type: 'source',
  props: { ...common.props, thing: { ...thing, optional: true } },
  run() { this.$emit(thing.methods.fetchIt(4)); } };
`,
    );
    const at = (file: string, line: number): void => {
      const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, 0));
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
    };
    at(inPackage, 2);
    const first = await stopsAt(app, new vscode.Position(3, 0), component);
    strictEqual(first.place, Debugger.placeOf(app, 4));
    await first.go('continue');
    const second = await debug.stopped();
    strictEqual(second.place, Debugger.placeOf(inPackage, 2));
    strictEqual((await second.variables())['n'], '4');
    await second.go('continue');
  });

  async function stopsInRun(file: string): Promise<void> {
    const text = (await readFile(file, 'utf8')).split('\n');
    const line = text.findIndex((one) => one.trimEnd().endsWith('// stop: run'));
    const stop = await stopsAt(file, new vscode.Position(line, 0));
    strictEqual(stop.place, Debugger.placeOf(file, line + 1));
    await stop.go('continue');
    await debug.end();
  }

  /** @param file of the component, where the breakpoint is in another one */
  async function stopsAt(place: string, position: vscode.Position, file = place) {
    await open(file);
    const location = new vscode.Location(vscode.Uri.file(place), position);
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
    await vscode.commands.executeCommand('weir.debug', file);
    await debug.process();
    const { runtime } = await weir();
    const source = await until('the source', async () => {
      const { data } = await runtime.call('sources.list', { limit: 100 });
      return data.find((one) => one.path === file && one.active);
    });
    void post(source.endpoint_url ?? '', { name: 'Ada', n: 1 });
    return debug.stopped();
  }
});
