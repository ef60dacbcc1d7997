import * as vscode from 'vscode';
import type { Pin } from '../../protocol/catalogue.ts';
import { confirm } from '../commands/confirm.ts';
import type { Command } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { inView } from '../notify.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import { pickWorkflow } from './pick-workflow.ts';
import { pinInWords } from './pin-line.ts';

interface PinItem extends vscode.QuickPickItem {
  readonly pin?: Pin;
}

const remove: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: 'Remove Pin',
};

/** The pins of a workflow, and which replace their steps; the chosen one is opened, or removed. */
export const managePins: Command = async (context, arg) => {
  const target = await pickWorkflow(context, arg, 'Manage Pins');
  if (target === undefined) return;
  const { folder, workflow } = target;
  const client = await folder.link.ready();
  const { data: pins } = await client.call('workflows.pins', { id: workflow.id });
  if (pins.length === 0) {
    void vscode.window.showInformationMessage(
      `${workflow.name} has no pins. "Pin the Result…" on a step that has run makes one.`,
    );
    return;
  }
  const chosen = await choosePin(`Pins of ${workflow.name}`, pins);
  if (chosen === undefined) return;
  if (chosen.do === 'open') {
    await vscode.window.showTextDocument(vscode.Uri.file(chosen.pin.file));
  } else {
    await removeAfterAsking(folder, workflow.id, chosen.do === 'remove' ? [chosen.pin] : pins);
  }
};

type Choice = { readonly do: 'open' | 'remove'; readonly pin: Pin } | { readonly do: 'removeAll' };

function choosePin(title: string, pins: readonly Pin[]): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<PinItem>();
  picker.title = title;
  picker.placeholder = 'Choose a pin to edit it';
  picker.items = [
    ...pins.map((pin) => ({
      label: `$(${pin.active ? 'pinned' : 'pin'}) ${pin.step}`,
      description: pinInWords(pin),
      buttons: [remove],
      pin,
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(trash) Remove All Pins…' },
  ];
  return new Promise((resolve) => {
    const end = (choice: Choice | undefined): void => {
      resolve(choice);
      picker.hide();
    };
    picker.onDidTriggerItemButton(({ item: { pin } }) => {
      if (pin !== undefined) end({ do: 'remove', pin });
    });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item === undefined) return;
      end(item.pin === undefined ? { do: 'removeAll' } : { do: 'open', pin: item.pin });
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

/** The selected pins, all of a workflow's row, or all of one that is chosen. Asks first. */
export const removePins: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'pin');
  const [first] = rows;
  if (first !== undefined) {
    const pins = rows.map(({ pin }) => pin);
    return removeAfterAsking(first.folder, first.workflow.id, pins);
  }
  const target = isNode(arg, 'pins')
    ? { folder: arg.folder, workflow: arg.workflow }
    : await pickWorkflow(context, arg, 'Remove Pins');
  if (target === undefined) return;
  const client = await target.folder.link.ready();
  const { data: pins } = await client.call('workflows.pins', { id: target.workflow.id });
  await removeAfterAsking(target.folder, target.workflow.id, pins);
};

async function removeAfterAsking(folder: Folder, id: string, pins: readonly Pin[]): Promise<void> {
  const [only, another] = pins;
  if (only === undefined) return;
  const what =
    another === undefined ? `the pin ${only.name} of ${only.step}` : `${pins.length} pins`;
  const files = pins.map(({ file }) => vscode.workspace.asRelativePath(file)).join(', ');
  if (!(await confirm(`Remove ${what}?`, `Deleted: ${files}.`, 'Remove'))) return;
  const client = await folder.link.ready();
  await inView(async () => {
    for (const { step, name } of pins) await client.call('workflows.unpin', { id, step, name });
  }, 'weir.workflows');
}
