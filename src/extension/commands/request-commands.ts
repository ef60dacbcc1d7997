import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { withProgress } from '../notify.ts';
import { requireInWorkspace, writeInWorkspace } from '../write-in-workspace.ts';
import {
  addressOfUrl,
  endpointsOf,
  isOfThisMachine,
  sourcesBeside,
} from '../requests/endpoint-addresses.ts';
import {
  type HttpFile,
  parseHttpFile,
  requestAt,
  titleOfRequest,
  type WrittenRequest,
} from '../requests/http-file.ts';
import { setAddresses } from '../requests/keep-addresses.ts';
import { chance, prepareRequest, replaceDefined } from '../requests/prepare-request.ts';
import { requestsFileOf } from '../requests/request-files.ts';
import { knownEndpoints, type RequestPlace } from '../requests/request-lenses.ts';
import { savedRequest } from '../requests/saved-request.ts';
import { sendRequest } from '../requests/send-request.ts';
import { type RequestParts, sampleRequest, withRequest } from '../requests/write-request.ts';
import type { Command, CommandContext } from './context.ts';
import { requestTarget, storedRequest } from './invocation-commands.ts';
import { connectedFolders, pickSource, type SourceTarget } from './pick-target.ts';
import { hasEndpoint } from './source-commands.ts';

/** In this bundle, which reads the same files (scripts/bundles.mts). */
export { provideRequestTexts } from '../requests/request-texts.ts';

/** Opens the requests of a source, in the file beside its component, which gets one when it has none. */
export const composeRequest: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Compose Request', hasEndpoint);
  if (target === undefined) return;
  const uri = requestsUri(target);
  if (existsSync(uri.fsPath)) await replaceLostAddresses(context, uri);
  const document = await documentOf(uri);
  const endpoint = endpointOf(target.source);
  const id = addressOfUrl(endpoint)?.id;
  const file = parseHttpFile(document?.getText() ?? '');
  const there = file.requests.find(({ url }) => addressIn(file, url)?.id === id);
  if (there !== undefined) return showLine(uri, there.line);
  return addRequest(target, uri, { ...sampleRequest, title: target.source.name });
};

/** Writes the request of a run down, to be changed and sent again. */
export const saveRequest: Command = async (context, arg) => {
  const found = await requestTarget(context, arg, 'Save as HTTP Request');
  if (found === undefined) return;
  const { target, invocationId } = found;
  // The file goes into a repository.
  const request = await storedRequest(target, invocationId, true);
  if (request === undefined) {
    throw new WeirError('not_found', 'The request of this run is no longer kept.');
  }
  const uri = requestsUri(target);
  if (existsSync(uri.fsPath)) await replaceLostAddresses(context, uri);
  const bodyFile = freeName(uri.fsPath, `${invocationId ?? 'request'}.body`);
  const { parts, bodyFile: body } = await savedRequest(request, path.basename(bodyFile));
  if (body !== undefined) await writeInWorkspace(bodyFile, body);
  await addRequest(target, uri, parts);
};

/** The request of a lens, else the one at the cursor. */
export const sendRequestCommand: Command = async (context, arg) => {
  const place = isPlace(arg) ? arg : placeOfCursor();
  await sendAt(context, place);
};

/** The request that was sent last, as its file says it now. */
export const sendAgain: Command = async (context) => {
  const { last } = context.answers;
  if (last === undefined) {
    throw new WeirError(
      'not_found',
      'No request was sent in this window yet; Send with Weir stands above each in a .http file.',
    );
  }
  const file = parseHttpFile((await vscode.workspace.openTextDocument(last.uri)).getText());
  const sameName = file.requests.filter(({ name }) => name === last.name);
  const request =
    last.name !== undefined && sameName.length === 1 ? sameName[0] : file.requests[last.index];
  if (request === undefined) {
    throw new WeirError(
      'not_found',
      `The request that was sent last is no longer in ${path.basename(last.uri.fsPath)}.`,
    );
  }
  await sendAt(context, { uri: last.uri, line: request.line });
};

async function sendAt(context: CommandContext, { uri, line }: RequestPlace): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new WeirError('bad_input', 'Weir sends nothing until you trust this workspace.');
  }
  await connectedFolders(context.folders);
  const title = titleOfRequest(requestIn(parseHttpFile(await textOf(uri)), line));
  if (!(await replaceLostAddresses(context, uri, line))) return;
  const known = knownEndpoints(context.folders);
  await setAddresses(uri, (id) => known.get(id)?.url);
  const file = parseHttpFile(await textOf(uri));
  const request = requestIn(file, line);
  const here = path.dirname(uri.fsPath);
  const sent = await prepareRequest(
    file,
    request,
    { ...chance, now: () => context.clock.now() },
    (name) => readBodyFile(path.resolve(here, name), request),
  );
  const { folder, source } = targetOf(context, sent.url);
  context.answers.last = { uri, name: request.name, index: file.requests.indexOf(request) };
  const answer = await withProgress(`Sending ${title}`, ({ signal }) =>
    sendRequest(sent, context.clock, signal),
  );
  await context.answers.show({ answer, sent, folder, sourceId: source.id });
}

/** Throws for a URL that is no endpoint of a source that takes requests. */
function targetOf({ folders }: CommandContext, url: string): SourceTarget {
  const address = addressOfUrl(url);
  if (address === undefined) {
    throw new WeirError(
      'bad_input',
      `${url} is not an endpoint of a source: Weir sends requests to those only, other REST clients to any host.`,
    );
  }
  for (const folder of folders.all) {
    const found = endpointsOf(folder.mirror.sources()).get(address.id);
    if (found === undefined) continue;
    const { source } = found;
    if (source.active) return { folder, source };
    throw new WeirError(
      'conflict',
      `${source.name} is switched off and answers nothing; run Weir: Activate Source first.`,
    );
  }
  throw new WeirError(
    'not_found',
    `No source has the endpoint ${address.url}; deploy its component, or run Weir: Compose Request for another source.`,
  );
}

/**
 * Replaces lost endpoints of this machine by the endpoint of the source that was deployed from the component beside the
 * file. Endpoints are lost after another deploy, and in another checkout. Asks if there are several sources.
 * @param line of the one request; undefined for the whole file
 * @returns false if the user cancelled
 */
async function replaceLostAddresses(
  { folders }: CommandContext,
  uri: vscode.Uri,
  line?: number,
): Promise<boolean> {
  const file = parseHttpFile(await textOf(uri));
  const requests = line === undefined ? file.requests : [requestIn(file, line)];
  const known = knownEndpoints(folders);
  const lost = new Set(
    requests.flatMap(({ url }) => {
      const address = addressIn(file, url);
      const isLost = address !== undefined && isOfThisMachine(address) && !known.has(address.id);
      return isLost ? [address.id] : [];
    }),
  );
  const beside = sourcesBeside(uri.fsPath, folders.of(uri.fsPath).mirror.sources());
  const [only, another] = beside;
  if (lost.size === 0 || only === undefined) return true;
  // Without the question two sources of one file would get each other's requests.
  if (line === undefined && (another !== undefined || lost.size > 1)) return true;
  const source = another === undefined ? only : await chooseSource(beside);
  if (source === undefined) return false;
  await setAddresses(uri, (id) => (lost.has(id) ? endpointOf(source) : undefined));
  return true;
}

async function chooseSource(sources: readonly Source[]): Promise<Source | undefined> {
  const items = sources.map((source) => ({
    label: source.name,
    description: source.name_slug,
    source,
  }));
  const title = 'Send Request: to which source?';
  return (await vscode.window.showQuickPick(items, { title }))?.source;
}

async function addRequest(
  { source }: SourceTarget,
  uri: vscode.Uri,
  parts: RequestParts,
): Promise<void> {
  await requireInWorkspace(uri.fsPath);
  if (!existsSync(uri.fsPath)) await writeInWorkspace(uri.fsPath, Buffer.of());
  const document = await vscode.workspace.openTextDocument(uri);
  // The existing text stays as it is, and so does the cursor.
  const kept = document.getText().trimEnd();
  const text = kept.replaceAll('\r\n', '\n');
  const added = withRequest(text, endpointOf(source), source.name_slug, parts);
  const change = new vscode.WorkspaceEdit();
  const rest = new vscode.Range(document.positionAt(kept.length), endOf(document));
  change.replace(uri, rest, added.text.slice(text.length));
  await vscode.workspace.applyEdit(change);
  await document.save();
  await showLine(uri, added.line);
}

function endOf(document: vscode.TextDocument): vscode.Position {
  return document.lineAt(document.lineCount - 1).range.end;
}

async function showLine(uri: vscode.Uri, line: number): Promise<void> {
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, { preview: false, selection: place });
}

/** Beside the component; of a source without a file in the folder it belongs to. */
function requestsUri({ folder, source }: SourceTarget): vscode.Uri {
  if (source.path !== null) return vscode.Uri.file(requestsFileOf(source.path));
  if (folder.root === undefined) {
    throw new WeirError('not_found', 'Open a folder first: the request is written into it.');
  }
  return vscode.Uri.file(path.join(folder.root, `${source.name_slug}.http`));
}

function endpointOf({ name, endpoint_url: url }: Source): string {
  if (url === null) throw new WeirError('not_found', `${name} has no endpoint.`);
  return url;
}

function addressIn({ variables }: HttpFile, url: string) {
  return addressOfUrl(replaceDefined(url, variables));
}

function requestIn(file: HttpFile, line: number): WrittenRequest {
  const request = requestAt(file, line);
  if (request === undefined) {
    throw new WeirError(
      'not_found',
      'There is no request at the cursor: write one, such as "POST {{endpoint}}/".',
    );
  }
  return request;
}

function isPlace(arg: unknown): arg is RequestPlace {
  return typeof arg === 'object' && arg !== null && 'uri' in arg && 'line' in arg;
}

function placeOfCursor(): RequestPlace {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') {
    throw new WeirError('bad_input', 'Open a .http file and put the cursor into a request.');
  }
  return { uri: editor.document.uri, line: editor.selection.active.line };
}

async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return existsSync(uri.fsPath) ? vscode.workspace.openTextDocument(uri) : undefined;
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

async function readBodyFile(file: string, request: WrittenRequest): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `The body of ${titleOfRequest(request)} cannot be read: ${messageOf(error)}.`,
    );
  }
}

/** `hello.inv_1.body`, with a number before its end when there is one already. */
function freeName(requestsFile: string, end: string): string {
  const { dir, name } = path.parse(requestsFile);
  for (let n = 1; ; n++) {
    const file = path.join(dir, `${name}.${n === 1 ? '' : `${n}.`}${end}`);
    if (!existsSync(file)) return file;
  }
}
