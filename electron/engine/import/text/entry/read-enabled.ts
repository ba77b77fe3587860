import { scalarText } from '../../../../../shared/json.ts';
import { otherSwitches } from '../../../config/validate/validate.ts';
import type { Entry } from './dialects.ts';
import type { Step } from './entry-step.ts';

/** Reads `disabled`, and its opposites in other programs, as a boolean or a text. */
export function readEnabled(written: Entry): ReturnType<Step> {
  const {
    disable,
    isDisabled = disable,
    is_disabled: known = isDisabled,
    disabled = known,
    ...entry
  } = written;
  const off = toBoolean(disabled);
  const rest = Object.fromEntries(Object.entries(entry).filter(([name, value]) => !isSwitch(name, value)));
  const isOff = off === true || enabledMembers.some((name) => toBoolean(entry[name]) === false);
  if (isOff) return { entry: { ...rest, disabled: true } };
  return { entry: disabled === undefined ? rest : { ...rest, disabled: off ?? disabled } };
}

const enabledMembers: readonly string[] = [...otherSwitches, 'state', 'status'];

/** A status may be more than on and off. */
function isSwitch(name: string, value: unknown): boolean {
  return enabledMembers.includes(name) && (!/^stat/.test(name) || toBoolean(value) !== undefined);
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = scalarText(value).trim().toLowerCase();
  if (['true', '1', 'yes', 'on', 'enabled', 'active'].includes(word)) return true;
  return ['false', '0', 'no', 'off', 'disabled', 'inactive'].includes(word) ? false : undefined;
}
