import * as vscode from 'vscode';
import type { Delivery } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { deliveryUri } from '../documents/json-documents.ts';
import { inView } from '../notify.ts';
import type { Folder } from '../connection/folder.ts';
import { isNode, nodesOf, type DeliveryNode } from '../views/nodes.ts';
import type { Command, CommandContext } from './context.ts';
import { connectedFolders, pickFolder, pickSource } from './pick-target.ts';

/** Asks for the URL, creates the webhook, offers to copy its signing secret, which cannot be shown again, or to subscribe. */
export const createWebhook: Command = async (context) => {
  const folder = await pickFolder(context, 'Create Webhook');
  if (folder === undefined) return;
  const url = await vscode.window.showInputBox({
    title: 'Create Webhook',
    prompt: 'Events are sent to this URL with POST, signed.',
    placeHolder: 'https://example.com/events',
    ignoreFocusOut: true,
    validateInput: urlProblem,
  });
  if (url === undefined) return;
  const client = await folder.link.ready();
  const webhook = await inView(() => client.call('webhooks.create', { url: url.trim() }));
  const copy = 'Copy Signing Secret';
  const subscribe = 'Subscribe to a Source…';
  const chosen = await vscode.window.showInformationMessage(
    'The webhook was created. Its signing secret can only be copied now.',
    copy,
    subscribe,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(webhook.signing_secret);
  if (chosen === subscribe) await createSubscription(context, { kind: 'webhook', folder, webhook });
};

export const deleteWebhook: Command = async (context, arg) => {
  const target = await pickWebhook(context, arg, 'Delete Webhook');
  if (target === undefined) return;
  const yes = 'Delete';
  const chosen = await vscode.window.showWarningMessage(
    `Delete the webhook ${target.webhook.name ?? target.webhook.url}?`,
    { modal: true, detail: 'Its subscriptions and deliveries go with it.' },
    yes,
  );
  if (chosen !== yes) return;
  const client = await target.folder.link.ready();
  await inView(() => client.call('webhooks.delete', { id: target.webhook.id }));
};

/** From an emitter's row asks for the listener, from a webhook's row for the emitter. */
export const createSubscription: Command = async (context, arg) => {
  const listening = isNode(arg, 'webhook') ? arg : undefined;
  const target = await pickSource(
    context,
    listening === undefined ? arg : undefined,
    'Create Subscription: Source',
  );
  if (target === undefined) return;
  const { folder, source: emitter } = target;
  const listenerId = listening?.webhook.id ?? (await pickListener(folder, emitter.id));
  if (listenerId === undefined) return;
  const channel = await vscode.window.showInputBox({
    title: 'Create Subscription',
    prompt: `Channel of ${emitter.name}; leave it empty for the default channel.`,
  });
  if (channel === undefined) return;
  const client = await folder.link.ready();
  await inView(() =>
    client.call('subscriptions.create', {
      emitter_id: emitter.id,
      listener_id: listenerId,
      ...(channel.trim() === '' ? {} : { event_name: channel.trim() }),
    }),
  );
};

export const deleteSubscription: Command = async (context, arg) => {
  const target = isNode(arg, 'subscription') ? arg : await pickSubscription(context);
  if (target === undefined) return;
  const client = await target.folder.link.ready();
  await inView(() =>
    client.call('subscriptions.delete', { subscription_id: target.subscription.id }),
  );
};

/** The attempts of a delivery, as a document. */
export const showDelivery: Command = async (context, arg) => {
  const target = isNode(arg, 'delivery') ? arg : await pickDelivery(context, 'Show Delivery');
  if (target === undefined) return;
  const uri = deliveryUri(target.folder, target.delivery);
  await vscode.window.showTextDocument(uri, { preview: true });
};

/** The selected deliveries, or all exhausted ones of the selected webhooks. */
export const redeliver: Command = async (context, arg, selection) => {
  const chosen = deliveriesOf(arg, selection);
  const picked = chosen.length > 0 ? undefined : await pickDelivery(context, 'Redeliver');
  for (const { folder, delivery } of picked === undefined ? chosen : [picked]) {
    const client = await folder.link.ready();
    await inView(() => client.call('deliveries.redeliver', { id: delivery.id }));
  }
};

function deliveriesOf(
  arg: unknown,
  selection: unknown,
): readonly Pick<DeliveryNode, 'folder' | 'delivery'>[] {
  const ofWebhooks = nodesOf(arg, selection, 'webhook').flatMap(({ folder, webhook }) => {
    const all = folder.mirror.state.deliveries.get(webhook.id) ?? [];
    const exhausted = all.filter(({ status }) => status === 'exhausted');
    return exhausted.map((delivery) => ({ folder, delivery }));
  });
  return [...nodesOf(arg, selection, 'delivery'), ...ofWebhooks];
}

async function pickListener(folder: Folder, emitterId: string): Promise<string | undefined> {
  const items = [
    ...[...folder.mirror.state.webhooks.values()].map((webhook) => ({
      label: `$(radio-tower) ${webhook.name ?? webhook.url}`,
      description: webhook.id,
      id: webhook.id,
    })),
    ...folder.mirror
      .sources()
      .filter((source) => source.id !== emitterId)
      .map((source) => ({
        label: `$(globe) ${source.name}`,
        description: source.id,
        id: source.id,
      })),
  ];
  if (items.length === 0) {
    throw new WeirError(
      'not_found',
      'There is nothing to send the events to; create a webhook first.',
    );
  }
  return (await vscode.window.showQuickPick(items, { title: 'Create Subscription: Listener' }))?.id;
}

async function pickWebhook(context: CommandContext, arg: unknown, title: string) {
  if (isNode(arg, 'webhook')) return arg;
  const items = (await connectedFolders(context.folders)).flatMap((folder) =>
    [...folder.mirror.state.webhooks.values()].map((webhook) => ({
      label: webhook.name ?? webhook.url,
      description: webhook.id,
      target: { folder, webhook },
    })),
  );
  if (items.length === 0) throw new WeirError('not_found', 'There is no webhook here yet.');
  return (await vscode.window.showQuickPick(items, { title }))?.target;
}

async function pickSubscription(context: CommandContext) {
  const items = (await connectedFolders(context.folders)).flatMap((folder) =>
    [...folder.mirror.state.subscriptions.values()].map((subscription) => ({
      label: folder.mirror.emitter(subscription.emitter_id)?.name ?? subscription.emitter_id,
      description: `→ ${subscription.listener_id}`,
      target: { folder, subscription },
    })),
  );
  if (items.length === 0) throw new WeirError('not_found', 'There is no subscription here yet.');
  return (await vscode.window.showQuickPick(items, { title: 'Delete Subscription' }))?.target;
}

async function pickDelivery(
  context: CommandContext,
  title: string,
): Promise<{ folder: Folder; delivery: Delivery } | undefined> {
  const items = (await connectedFolders(context.folders)).flatMap((folder) =>
    [...folder.mirror.state.deliveries.values()].flat().map((delivery) => ({
      label: delivery.id,
      description: `${delivery.status} · ${new Date(delivery.created_at).toLocaleString()}`,
      target: { folder, delivery },
    })),
  );
  if (items.length === 0) throw new WeirError('not_found', 'Nothing was delivered here yet.');
  return (await vscode.window.showQuickPick(items, { title }))?.target;
}

function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:'
    ? undefined
    : 'Enter a URL that starts with http:// or https://.';
}
