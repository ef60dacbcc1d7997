import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { registryModules } from '../support/registry-packages.ts';
import { emitted, event, folder, hostsFor, perform, start } from './hosts-helper.ts';

/** What a company's network needs reaches a component, although the user's environment does not (P15.2). */

test('a proxy that the environment names is the one a client of the component uses', async () => {
  const proxy = await startReceiver({ answer: () => ({ body: { by: 'the proxy' } }) });
  const hosts = await hostsFor({
    env: { ...process.env, HTTP_PROXY: proxy.url, WEIR_TEST_OTHER: 'hidden' },
  });
  const axios = JSON.stringify(resolve(registryModules, 'axios/index.js'));
  const { host } = await start(
    hosts,
    `import axios from ${axios};
    export default { async run() { const { data } = await axios.get('http://third-party.invalid/items'); this.$emit([data, process.env.WEIR_TEST_OTHER ?? 'none']); } }`,
  );
  expect(emitted(await perform(host, event()))).toEqual([[{ by: 'the proxy' }, 'none']]);
  expect(proxy.received.map(({ url }) => url)).toEqual(['http://third-party.invalid/items']);
});

test('authorities that the environment adds are trusted in a component', async () => {
  const authority = rootCertificates[0] ?? '';
  const file = join(folder, 'authority.pem');
  writeFileSync(file, authority);
  const hosts = await hostsFor({ env: { ...process.env, NODE_EXTRA_CA_CERTS: file } });
  const { host } = await start(
    hosts,
    `import tls from 'node:tls'; export default { run() { this.$emit(tls.getCACertificates('extra')); } }`,
  );
  const [extra] = emitted(await perform(host, event())) as [string[]];
  // Lines may be broken elsewhere.
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  expect(extra.map(bare)).toEqual([bare(authority)]);
});
