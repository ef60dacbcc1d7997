import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { offerMcpServers } from '../../../../src/extension/agents/mcp-servers.ts';
import type { Folders } from '../../../../src/extension/connection/folders.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

const url = 'http://127.0.0.1:8123';

const folder = (name: string, client: { url: string } | undefined, remote?: string) => ({
  name,
  dataFolder: temporaryFolder(),
  remote,
  link: { client },
});

/** What the editor gets of the server list of these folders. */
function offered(...all: ReturnType<typeof folder>[]) {
  const changed = new vscode.EventEmitter<void>();
  offering = offerMcpServers({ all, onDidChangeState: changed.event } as unknown as Folders);
  const provider = world.mcpProviders.get('weir.agents');
  if (provider === undefined) throw new Error('Nothing was registered.');
  return provider;
}

let offering: vscode.Disposable;

beforeEach(() => {
  world.workspace.isTrusted = true;
});

afterEach(() => {
  offering.dispose();
});

test('a runtime that runs is offered without its key, and connected to with it', async () => {
  const shop = folder('shop', { url });
  const runtime = { url, apiKey: 'secret', pid: 1, version: '0' };
  await writeFile(path.join(shop.dataFolder, 'runtime.json'), JSON.stringify(runtime));
  const provider = offered(shop);
  const [server, ...others] = provider.provideMcpServerDefinitions();
  expect(others).toEqual([]);
  if (server === undefined) throw new Error('No server.');
  expect([server.label, server.uri.toString(), server.headers]).toEqual(['Weir', `${url}/mcp`, {}]);
  expect((await provider.resolveMcpServerDefinition(server))?.headers).toEqual({
    authorization: 'Bearer secret',
  });
});

test('of several folders each is named, and one whose runtime has ended meanwhile is no server', async () => {
  const provider = offered(folder('shop', { url }), folder('blog', undefined));
  const [server, ...others] = provider.provideMcpServerDefinitions();
  expect(others).toEqual([]);
  if (server === undefined) throw new Error('No server.');
  expect(server.label).toBe('Weir: shop');
  expect(await provider.resolveMcpServerDefinition(server)).toBeUndefined();
});

test('nothing is offered in an untrusted workspace, nor of a runtime on another machine', () => {
  const provider = offered(folder('shop', { url }), folder('far', { url }, 'box'));
  expect(provider.provideMcpServerDefinitions()).toHaveLength(1);
  world.workspace.isTrusted = false;
  expect(provider.provideMcpServerDefinitions()).toEqual([]);
});

test('the provider is the one that the manifest names', () => {
  offered();
  const ids = manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id);
  expect(ids).toEqual([...world.mcpProviders.keys()]);
});

test('an editor without such servers is left alone', () => {
  const register = vi.spyOn(vscode, 'lm', 'get').mockReturnValue({} as never);
  offering = offerMcpServers({ all: [] } as unknown as Folders);
  register.mockRestore();
  expect(world.mcpProviders.size).toBe(0);
});
