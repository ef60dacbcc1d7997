import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../harness/temporary.mts';

/** Files to deploy, each another one, so that nothing of an earlier deploy can be used again. */
export interface DeployComponents {
  readonly folder: string;
  oneFile(): Promise<string>;
  /** With `axios` and `lodash` from a `node_modules` beside it: this project's. */
  withPackages(): Promise<string>;
  remove(): Promise<void>;
}

export async function deployComponents(): Promise<DeployComponents> {
  const temporary = await temporaryFolder();
  const folder = temporary.path;
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  let count = 0;
  const written = async (code: (n: number) => string): Promise<string> => {
    count += 1;
    const file = join(folder, `component-${count}.mjs`);
    await writeFile(file, code(count));
    return file;
  };
  return {
    folder,
    remove: () => temporary.remove(),
    oneFile: () =>
      written(
        (n) => `export default {
  name: 'One file ${n}',
  props: { db: '$.service.db', http: '$.interface.http' },
  hooks: { async activate() { this.db.set('number', ${n}); } },
  async run(event) { this.$emit(event.body, { summary: 'number ${n}' }); },
};
`,
      ),
    withPackages: () =>
      written(
        (n) => `import axios from 'axios';
import lodash from 'lodash';
export default {
  name: 'With packages ${n}',
  props: { db: '$.service.db', timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } } },
  hooks: { async activate() { this.db.set('number', ${n}); } },
  async run() {
    const { data } = await axios.get('https://api.example.com/items');
    for (const item of lodash.sortBy(data, 'id')) this.$emit(item, { id: item.id });
  },
};
`,
      ),
  };
}
