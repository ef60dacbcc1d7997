import type { Pin } from '../../protocol/catalogue.ts';
import { tokens, type Line } from '../views/line.ts';

/** The row above the pins of a workflow. */
export function pinsLine(pins: readonly Pin[]): Line {
  const active = pins.filter((pin) => pin.active).length;
  const description =
    active === 0 ? `${pins.length}` : `${pins.length} · ${active} active in tests`;
  return {
    label: 'Pins',
    description,
    icon: 'pinned',
    contextValue: tokens('pins'),
    accessible: `Pins, ${description}`,
  };
}

export function pinLine(pin: Pin): Line {
  const description = pinInWords(pin);
  return {
    label: pin.step,
    description,
    icon: pin.active ? 'pinned' : 'pin',
    ...(!pin.known && { colour: 'weir.inactive' }),
    contextValue: tokens('pin'),
    accessible: `${pin.step}, pin, ${description}`,
  };
}

/** Its name, and when it replaces its step. */
export function pinInWords({ name, active, known }: Pin): string {
  if (active) return `${name} · in every test`;
  return known ? `${name} · when a test asks for it` : `${name} · there is no such step`;
}
