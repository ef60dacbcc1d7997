import { expect, test } from 'vitest';
import { packageOf } from '../../../../src/runtime/workflows/scripts/python-packages.ts';

test.each([
  ['requests', 'requests'],
  ['mysql.connector', 'mysql-connector-python'],
  ['snowflake.connector', 'snowflake-connector-python'],
  ['azure.identity', 'azure-identity'],
  ['azure.storage.blob', 'azure-storage-blob'],
  ['azure.keyvault.secrets', 'azure-keyvault-secrets'],
  ['azure.core.exceptions', 'azure-core'],
  ['discord', 'discord.py'],
  ['websocket', 'websocket-client'],
  ['dns.resolver', 'dnspython'],
  ['git', 'GitPython'],
  ['nacl.signing', 'PyNaCl'],
  ['zmq', 'pyzmq'],
  ['ruamel.yaml', 'ruamel.yaml'],
  ['attr', 'attrs'],
  ['usb.core', 'pyusb'],
  ['win32api', 'pywin32'],
  ['Xlib.display', 'python-xlib'],
  ['google.cloud.storage', 'google-cloud-storage'],
])('the module %s is of the package %s', (module, name) => {
  expect(packageOf(module)).toBe(name);
});
