import { startRuntime } from '../runtime/support/runtime.ts';
import { temporaryFolder } from '../runtime/support/folder.ts';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
const undo: (() => Promise<void>)[] = [];
const atEnd = (u: () => Promise<void>) => void undo.push(u);
const runtime = await startRuntime({ folder: await temporaryFolder(atEnd), atEnd });
const c = await runtime.connect();
const files = globSync('node_modules/@pipedream/*/{sources,actions}/**/*.mjs').filter((f) => f.split('/').at(-1) === f.split('/').at(-2) + '.mjs').sort();
console.log(files.length);
const t0 = Date.now(); const times: [number, string][] = []; let i = 0; const fails: string[] = [];
const n = Number(process.argv[2] ?? 2);
await Promise.all(Array.from({ length: n }, async () => { for (;;) { const f = files[i++]; if (!f) return; const t = Date.now(); try { await c.call('components.inspect', { component_path: resolve(f) }, {progress: (m) => { if (/Install/.test(m)) console.log(f, m)}}); } catch (e) { fails.push(f + ': ' + (e as Error).message); } times.push([Date.now() - t, f]); } }));
console.log('total', Date.now() - t0); times.sort((a, b) => b[0] - a[0]); console.log(times.slice(0, 15)); console.log(times[129]); console.log(fails);
const by = new Map<string, number[]>(); for (const [t, f] of times) { const p = f.split('/')[2]!; by.set(p, [...(by.get(p) ?? []), t]); }
for (const [p, ts] of by) console.log(p, ts.length, ts.reduce((a, b) => a + b, 0));
import('node:fs').then(() => {}); const { readFileSync, readdirSync } = await import('node:fs');
const stat = (pid: number | string) => { const t = readFileSync(`/proc/${pid}/stat`, 'utf8'); const f = t.slice(t.lastIndexOf(')') + 2).split(' '); return { name: t.slice(t.indexOf('(') + 1, t.lastIndexOf(')')), ppid: Number(f[1]), u: +f[11]! / 100, s: +f[12]! / 100, cu: +f[13]! / 100, cs: +f[14]! / 100 }; };
console.log('runtime', stat(runtime.pid)); for (const d of readdirSync('/proc')) if (/^\d+$/.test(d)) { try { const x = stat(d); if (x.ppid === runtime.pid) console.log('child', x); } catch {} }
for (const u of undo.reverse()) await u();
process.exit(0);
