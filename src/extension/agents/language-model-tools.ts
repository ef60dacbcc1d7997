import * as vscode from 'vscode';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { WeirError } from '../../protocol/errors.ts';

/** A tool as package.json contributes it; `npm run docs` writes them there from those of `src/mcp`. */
interface ContributedTool {
  readonly name: string;
  readonly displayName: string;
  readonly tags: readonly string[];
}

/** The tag of tools that change and run nothing. */
const readsTag = 'reads';

type Input = Readonly<Record<string, unknown>>;

/**
 * Offers Weir's tools to the editor's language models (docs/agents.md). They go the way of every agent, over the `/mcp`
 * of the folder's runtime, so what is counted, masked and logged there is so here. Unlike the MCP server they are
 * there before a runtime runs: a call starts it.
 */
export function offerLanguageModelTools(
  folders: Folders,
  extension: vscode.Extension<unknown>,
): vscode.Disposable {
  // Editors that are built from an older VS Code have no tools.
  const { lm }: { readonly lm?: Partial<typeof vscode.lm> } = vscode;
  const { registerTool } = lm ?? {};
  if (registerTool === undefined) return { dispose: () => undefined };
  // Not before: what is not registered cannot be called, whatever the editor lists.
  const registered: vscode.Disposable[] = [];
  const register = (): void => void registered.push(...tools(folders, extension, registerTool));
  if (vscode.workspace.isTrusted) register();
  const trusting = vscode.workspace.onDidGrantWorkspaceTrust(register);
  return { dispose: () => vscode.Disposable.from(trusting, ...registered).dispose() };
}

function tools(
  folders: Folders,
  extension: vscode.Extension<unknown>,
  registerTool: typeof vscode.lm.registerTool,
): vscode.Disposable[] {
  const manifest = extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly ContributedTool[] };
  };
  return manifest.contributes.languageModelTools.map((tool) =>
    registerTool<Input>(tool.name, {
      prepareInvocation: ({ input }) => prepared(tool, input),
      invoke: ({ input }, token) => invoke(folders, tool.name, input, token),
    }),
  );
}

/** After "always" for a tool, the editor remembers the answer and does not ask again. */
function prepared({ displayName, tags }: ContributedTool, input: Input) {
  const invocationMessage = `Weir: ${displayName}`;
  if (tags.includes(readsTag)) return { invocationMessage };
  // A code block: what is in it came from a model.
  const message = new vscode.MarkdownString().appendCodeblock(
    JSON.stringify(input, undefined, 2),
    'json',
  );
  return { invocationMessage, confirmationMessages: { title: `Weir: ${displayName}?`, message } };
}

/** Throws the sentence that the model gets if the tool failed. */
async function invoke(
  folders: Folders,
  name: string,
  { folder: named, ...input }: Input,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const folder = folderFor(folders.all, named);
  const client = await folder.link.ready();
  const { callTool } = await import('./call-tool.ts');
  const abort = new AbortController();
  const cancelling = token.onCancellationRequested(() => abort.abort());
  try {
    const text = await callTool(folder.dataFolder, client, name, input, abort.signal);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } finally {
    cancelling.dispose();
  }
}

/**
 * The named folder if there are several; only folders with a runtime on this machine, whose keys belong to this window.
 */
function folderFor(all: readonly Folder[], named: unknown): Folder {
  const local = all.filter(({ remote }) => remote === undefined);
  const [only, ...others] = named === undefined ? local : local.filter((one) => one.name === named);
  if (only !== undefined && others.length === 0) return only;
  if (local.length === 0) {
    throw new WeirError(
      'bad_input',
      'This window uses a runtime on another machine; agents reach one on this machine only.',
    );
  }
  const names = local.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new WeirError('bad_input', `Set folder to one of this window's folders: ${names}.`);
}
