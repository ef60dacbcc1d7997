import { nothing, type TemplateResult } from 'lit-html';
import { type ConfigurableProp, hasOptions, isAsked } from '../../../protocol/definition.ts';
import { baseType, isList } from '../values.ts';
import { accountField } from './account.ts';
import { apphookField } from './apphook.ts';
import { booleanField } from './boolean.ts';
import { comboboxField } from './combobox.ts';
import { fieldOf, type FormContext, type Field } from './field.ts';
import { listField, objectField } from './rows.ts';
import { alertBanner, fixedField, httpField } from './read-only.ts';
import { jsonField, numberField, secretField, textField } from './text.ts';
import { timerField } from './timer.ts';

/** The control for a prop; nothing for one that is not shown. */
export function control(
  context: FormContext,
  prop: ConfigurableProp,
): TemplateResult | typeof nothing {
  if (prop.hidden === true || prop.type === 'dir') return nothing;
  if (prop.type === 'alert') return alertBanner(prop);
  const field = fieldOf(context, prop);
  if (prop.type === '$.interface.http') return httpField(field);
  if (prop.type === '$.interface.apphook') return apphookField(field);
  if (prop.type.startsWith('$.service.')) return nothing;
  return isAsked(prop) ? input(field) : fixedField(field);
}

function input(field: Field): TemplateResult {
  const { prop, expressions } = field;
  if (expressions?.isOn(prop, field.value) === true) return expressions.field(field);
  if (prop.type === 'app') return accountField(field);
  if (prop.type === '$.interface.timer') return timerField(field);
  if (prop.secret === true) return secretField(field);
  if (hasOptions(prop)) return comboboxField(field);
  if (isList(prop)) return baseType(prop) === 'boolean' ? comboboxField(field) : listField(field);
  switch (prop.type) {
    case 'boolean':
      return booleanField(field);
    case 'integer':
    case 'number':
      return numberField(field);
    case 'object':
      return objectField(field);
    case 'any':
    case 'http_request':
    case 'sql':
      return jsonField(field);
    default:
      // An unknown type is a text (P3.33).
      return textField(field);
  }
}
