import * as esbuild from 'esbuild';
import { readFileSync, readdirSync, realpathSync } from 'node:fs';
import { PackageResolver } from '../../src/runtime/components/packages/resolver.ts';
import { Packages } from '../../src/runtime/components/packages/packages.ts';
const packages = new Packages({ folder: '/tmp/h-compat/pk', env: process.env, confirmInstall: async () => true });
const esb = () => { for (const d of readdirSync('/proc')) if (/^\d+$/.test(d)) { try { const t = readFileSync(`/proc/${d}/stat`, 'utf8'); if (!t.includes('(esbuild)')) continue; const f = t.slice(t.lastIndexOf(')') + 2).split(' '); if (Number(f[1]) === process.pid) return (+f[11]! + +f[12]!) / 100; } catch {} } return 0; };
const base: esbuild.BuildOptions = { bundle: true, platform: 'node', format: 'esm', target: 'node20', charset: 'utf8', sourcemap: 'linked', legalComments: 'none', logLevel: 'silent', write: false, metafile: true, banner: { js: '' }, define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' }, resolveExtensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts', '.json'], tsconfigRaw: {}, outfile: '/tmp/h-compat/x/c.mjs' };
const variants: Record<string, esbuild.BuildOptions> = { base, nomap: { ...base, sourcemap: false }, nocontent: { ...base, sourcesContent: false }, nometa: { ...base, metafile: false }, minifysyntax: { ...base, treeShaking: false }, minify: { ...base, minifyWhitespace: true }, plugin: base };
for (const f of ['google_drive/actions/find-forms/find-forms.mjs', 'linear_app/sources/project-updated-instant/project-updated-instant.mjs', 'slack/actions/list-users/list-users.mjs']) {
  const file = realpathSync('node_modules/@pipedream/' + f);
  for (const [n, o] of Object.entries(variants)) {
    const go = () => esbuild.build({ ...o, entryPoints: [file], ...(n === 'plugin' ? { plugins: [new PackageResolver(packages, new Set()).plugin] } : {}) });
    await go(); const c0 = esb(), j0 = process.cpuUsage(), t0 = performance.now(); for (let i = 0; i < 4; i++) await go(); const j = process.cpuUsage(j0);
    console.log(f.split('/')[0], n, 'esbuild cpu', ((esb() - c0) * 250).toFixed(), 'js cpu', ((j.user + j.system) / 4000).toFixed(), 'wall', ((performance.now() - t0) / 4).toFixed());
  }
}
process.exit(0);
