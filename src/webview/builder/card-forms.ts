/** The forms of what is unfolded: what the file itself says of it, and the props of a step's component. */
import type { Host } from '../shared/vscode-api.ts';
import type { Builder } from './builder-state.ts';
import { expressionsFor } from './expression-field.ts';
import type { HostMessage, PageMessage, PageState, Path, Values } from './messages.ts';
import { mountForm, type MountedForm } from './mounted-form.ts';
import {
  branchFields,
  elseFields,
  stepFields,
  triggerFields,
  valueAt,
  valuesOf,
  workflowFields,
  type OwnField,
} from './own-fields.ts';

type BuilderHost = Pick<Host<HostMessage, PageMessage, PageState>, 'post'>;

/** The fields of the file's own that something has. */
export function fieldsAt(
  { emitters }: Pick<Builder, 'emitters'>,
  path: Path,
  thing: Values,
): readonly OwnField[] {
  if (path.length === 0) return workflowFields;
  if (path[0] === 'triggers') return triggerFields(thing, emitters);
  if (path.at(-1) === 'else') return elseFields;
  return path.at(-2) === 'branches' ? branchFields : stepFields(thing);
}

/** The facts that decide which fields something has. */
export function shapeOf(thing: Values): string {
  return JSON.stringify([thing['control'], typeof thing['uses'], isFilter(thing)]);
}

/** Whether it is a step whose code has props. */
export function hasProps(path: Path, thing: Values): boolean {
  return path.at(-2) === 'steps' && typeof thing['uses'] === 'string' && !isFilter(thing);
}

function isFilter(thing: Values): boolean {
  return valueAt(thing, ['props', '_filter']) !== undefined;
}

/** The form of the file's own fields; what is typed in it changes the file. */
export function mountOwn(b: Builder, host: BuilderHost, path: Path, thing: Values): MountedForm {
  const own = fieldsAt(b, path, thing);
  return mountForm({
    prefix: 'own-',
    values: valuesOf(own, thing),
    props: own.map(({ prop }) => prop),
    show: b.show,
    // Nobody else is asked anything: these fields are the file's own.
    post: (message) => {
      if (message.t === 'schedule') host.post({ t: 'preview', message });
    },
    expressions: mayBeExpression(path, thing)
      ? (form) => expressionsFor(b, form, b.show, ({ name }) => name === 'on')
      : undefined,
    changed: (changes) =>
      b.send({
        t: 'change',
        changes: changes.map(([name, value]) => ({
          path: [...path, ...(own.find(({ prop }) => prop.name === name)?.at ?? [name])],
          ...(value !== undefined && { value }),
        })),
      }),
  });
}

/** The form of a step's props, which the host fills. @param form the number that its messages carry */
export function mountProps(
  b: Builder,
  host: BuilderHost,
  path: Path,
  thing: Values,
  form: number,
): MountedForm {
  return mountForm({
    prefix: 'step-',
    values: (thing['props'] ?? {}) as Values,
    show: b.show,
    post: (message) => host.post({ t: 'form', form, message }),
    expressions: (mounted) => expressionsFor(b, mounted, b.show),
    changed: (changes) =>
      b.send({
        t: 'change',
        changes: changes.map(([name, value]) => ({
          path: [...path, 'props', name],
          ...(value !== undefined && { value }),
        })),
      }),
  });
}

/** The list of a loop, and what a switch compares. */
function mayBeExpression(path: Path, { control }: Values): boolean {
  return path.at(-2) === 'steps' && (control === 'each' || control === 'switch');
}
