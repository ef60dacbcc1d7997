import * as vscode from 'vscode';
import type { Delivery } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { webhookUrlProblem } from '../../protocol/webhook-url.ts';
import { deliveryUri } from '../documents/json-documents.ts';
import { inView } from '../notify.ts';
import type { Folder } from '../connection/folder.ts';
import { isNode, nodesOf, type DeliveryNode } from '../views/nodes.ts';
import { confirm } from './confirm.ts';
import type { Command, CommandContext } from './context.ts';
import { sourceItem, webhookItem } from './pick-items.ts';
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
    validateInput: (text) => webhookUrlProblem(text.trim()),
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

/** Makes a new signing secret and offers to copy it. The old one signs as well for a while, for the receiver to change over. */
export const rotateSecret: Command = async (context, arg) => {
  const target = await pickWebhook(context, arg, 'Rotate Signing Secret');
  if (target === undefined) return;
  const client = await target.folder.link.ready();
  const { id, name, url } = target.webhook;
  const rotated = await inView(() => client.call('webhooks.rotateSecret', { id }));
  const until = new Date(rotated.old_secret_until * 1000).toLocaleString();
  const copy = 'Copy Signing Secret';
  const chosen = await vscode.window.showInformationMessage(
    `${name ?? url} has a new signing secret, which can only be copied now. The old one signs as well until ${until}.`,
    copy,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(rotated.signing_secret);
};

export const deleteWebhook: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'webhook');
  const picked = rows.length > 0 ? undefined : await pickWebhook(context, arg, 'Delete Webhook');
  const targets = picked === undefined ? rows : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const one = `the webhook ${first.webhook.name ?? first.webhook.url}`;
  const whose = another === undefined ? 'Its' : 'Their';
  const them = another === undefined ? 'it' : 'them';
  const isSure = await confirm(
    `Delete ${another === undefined ? one : `${targets.length} webhooks`}?`,
    `${whose} subscriptions and deliveries go with ${them}.`,
    'Delete',
  );
  if (!isSure) return;
  for (const { folder, webhook } of targets) {
    const client = await folder.link.ready();
    await inView(() => client.call('webhooks.delete', { id: webhook.id }));
  }
};

/** From an emitter's row asks for the listener, from a webhook's row for the emitter. */
export const createSubscription: Command = async (context, arg) => {
  const listening = isNode(arg, 'webhook') ? arg : undefined;
  const target = await pickSource(
    context,
    listening === undefined ? arg : undefined,
    'Create Subscription: Source',
    // A webhook can only be sent what its own runtime's sources emit.
    ({ id }) => listening === undefined || listening.folder.mirror.source(id) !== undefined,
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

export const deleteSubscription: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'subscription');
  const picked = rows.length > 0 ? undefined : await pickSubscription(context);
  for (const { folder, subscription } of picked === undefined ? rows : [picked]) {
    const client = await folder.link.ready();
    await inView(() => client.call('subscriptions.delete', { subscription_id: subscription.id }));
  }
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
      ...webhookItem(webhook),
      id: webhook.id,
    })),
    ...folder.mirror
      .sources()
      .filter((source) => source.id !== emitterId)
      .map((source) => ({ ...sourceItem(source, undefined), id: source.id })),
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
      ...webhookItem(webhook),
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
