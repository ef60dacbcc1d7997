import { openStore } from './src/runtime/store/open-store.ts';
import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
const dir = fs.mkdtempSync(path.join(process.env.TRY_DIR ?? os.tmpdir(), 'st-'));
const sqlJs = { js: path.resolve('node_modules/sql.js/dist/sql-wasm-debug.js'), wasm: path.resolve('node_modules/sql.js/dist/sql-wasm-debug.wasm') };
const file = path.join(dir, 'weir.db');
let t = performance.now();
let s = await openStore({ file, sqlJs, now: Date.now });
console.log('first open', performance.now() - t);
const def = { name:'x', key:null, type:'source', version:null, description:null, dedupe:'unique', props:[], hooks:[], hasRun:true, hasAdditionalProps:false } as const;
await s.components.insert({ id:'sc_1', hash:'h', path:'/x.mjs', definition: def, createdAt: 1 });
await s.sources.insert({ id:'dc_1', componentId:'sc_1', name:'n', slug:'n', deploying:false, active:true, configuredProps:{}, definition:def, interfaces:[{id:'hi_1',prop:'http',kind:'http'}], createdAt:1, updatedAt:1 });
console.log(s.sources.find('n'));
const payload = JSON.stringify({ a: 'x'.repeat(490) });
const body = Buffer.from(payload);
const N = +(process.env.N ?? 100000), W = 64;
let seq = 0, done = 0;
async function writer() {
  while (seq < N) {
    const i = seq++;
    const { n, durable } = s.accept({ sourceId:'dc_1', cause:'http', at: 1.7e12+i, trigger: { kind:'http', prop:'http', method:'POST', url:'http://127.0.0.1:1234/h/hi_1', path:'/', query:'', headers:{ 'content-type':'application/json', host:'127.0.0.1' }, clientIp:'127.0.0.1', body } });
    const c = s.commit({ n, sourceId:'dc_1', status:'succeeded', startedAt:1.7e12+i, endedAt:1.7e12+i, events:[{ id:`${1.7e12+i}-0`, indexedAt:1.7e12+i, emitId:'2abc'+i, channel:'', payload, webhooks:[], sources:[] }], drops:[], db:[], logs:[] });
    await durable; await c; done++;
  }
}
t = performance.now(); let c0 = process.cpuUsage();
await Promise.all(Array.from({length:W}, writer));
let ms = performance.now()-t, c = process.cpuUsage(c0);
console.log({ perSec: Math.round(done/ms*1000), cpuUs: (c.user+c.system)/done, user: c.user/done, sys: c.system/done });
t=performance.now(); console.log(s.events.list('dc_1',{limit:2}).rows.map(r=>r.id), s.events.lastId(), performance.now()-t);
t=performance.now(); console.log('pruned', await s.events.prune('dc_1',{count:10000,bytes:256e6,before:0}), performance.now()-t);
t=performance.now(); console.log('copy', await s.copyTo(path.join(dir,'copy.db')), performance.now()-t);
t=performance.now(); await s.close(); console.log('close', performance.now()-t, fs.readdirSync(dir));
t=performance.now(); s = await openStore({ file, sqlJs, now: Date.now }); console.log('reopen', performance.now()-t, s.events.lastId());
await s.close();
const { execSync } = await import('node:child_process');
for (const f of ['weir.db','copy.db']) console.log(f, execSync(`sqlite3 ${path.join(dir,f)} "pragma integrity_check; pragma journal_mode; select count(*) from events"`).toString());
fs.rmSync(dir,{recursive:true});
