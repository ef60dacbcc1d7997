import { bundle } from '../../src/runtime/components/bundle.ts';
import { realpathSync, writeFileSync, mkdirSync } from 'node:fs';
mkdirSync('/tmp/h-compat/imp', { recursive: true });
for (const f of ['google_drive/actions/find-forms/find-forms.mjs', 'linear_app/sources/project-updated-instant/project-updated-instant.mjs', 'slack/actions/list-users/list-users.mjs','gitlab/sources/new-milestone/new-milestone.mjs', 'notion/actions/create-page/create-page.mjs']) {
  const b = await bundle(realpathSync('node_modules/@pipedream/' + f), '/tmp/h-compat/imp/x', [], undefined);
  if ('errors' in b) { console.log(b.errors); continue; }
  writeFileSync('/tmp/h-compat/imp/' + f.split('/')[0] + '.mjs', b.code);
  writeFileSync('/tmp/h-compat/imp/component.mjs.map', b.map);
}
process.exit(0);
