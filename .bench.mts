import { openStore } from './src/runtime/store/open-store.ts';
import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
const dir = fs.mkdtempSync(path.join(process.env.TRY_DIR ?? os.tmpdir(), 'st-'));
const sqlJs = { js: path.resolve('node_modules/sql.js/dist/sql-wasm-debug.js'), wasm: path.resolve('node_modules/sql.js/dist/sql-wasm-debug.wasm') };
const s = await openStore({ file: path.join(dir, 'weir.db'), sqlJs, now: Date.now });
const def = { name:'x', key:null, type:'source', version:null, description:null, dedupe:'unique', props:[], hooks:[], hasRun:true, hasAdditionalProps:false } as const;
await s.sources.insert({ id:'dc_1', componentId:'sc_1', name:'n', slug:'n', deploying:false, active:true, configuredProps:{}, definition:def, interfaces:[], createdAt:1, updatedAt:1 });
const payload = JSON.stringify({ a: 'x'.repeat(490) }); const body = Buffer.from(payload);
const N = +(process.env.N ?? 100000), W = +(process.env.W ?? 64), http = process.env.HTTP;
async function round() { let seq=0; const base = Date.now();
async function writer() {
  while (seq < N) {
    const i = base + seq++;
    const { n, durable } = s.accept({ sourceId:'dc_1', cause:'http', at: 1.7e12, trigger: http ? { kind:'http', prop:'http', method:'POST', url:'http://127.0.0.1:1234/h/hi_1', path:'/', query:'', headers:{ 'content-type':'application/json', host:'127.0.0.1' }, clientIp:'127.0.0.1', body } : {kind:'timer',prop:'timer',timestamp:1.7e9} });
    const c = s.commit({ n, sourceId:'dc_1', status:'succeeded', startedAt:1.7e12, endedAt:1.7e12, events:[{ id:`${i}-0`, indexedAt:1.7e12, emitId:'2abc'+i, channel:'', payload, webhooks:[], sources:[] }], drops:[], db:[], logs:[] });
    await durable; await c;
  }
}
const t = performance.now(), c0 = process.cpuUsage();
await Promise.all(Array.from({length:W}, writer));
const ms = performance.now()-t, c = process.cpuUsage(c0);
console.log(JSON.stringify({ perSec: Math.round(N/ms*1000), cpuUs: +((c.user+c.system)/N).toFixed(1), user: +(c.user/N).toFixed(1), sys: +(c.system/N).toFixed(1) })); }
for (let k=0;k<3;k++) await round();
await s.close(); fs.rmSync(dir,{recursive:true});
