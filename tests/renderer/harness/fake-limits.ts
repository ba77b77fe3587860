import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import { type LimitName, type LimitView, limitFields, limitNames } from '../../../shared/model/hub/limits.ts';

type LimitCall = Extract<IpcCallName, `limits.${string}`>;
type LimitHandlers = { [N in LimitCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes limits: one set by a variable and one by a setting. */
export function fakeLimits(): LimitHandlers {
  const chosen = new Map<LimitName, number>([['circuitCooldown', 30]]);
  const byVariable = new Map<LimitName, number>([['auditRetentionDays', 365]]);
  const view = (name: LimitName): LimitView => {
    const [variable, setting] = [byVariable.get(name), chosen.get(name)];
    const source = variable !== undefined ? 'variable' : setting !== undefined ? 'settings' : 'default';
    const value = variable ?? setting ?? limitFields[name].default;
    return {
      ...limitFields[name],
      name,
      value,
      source,
      ...(setting === undefined ? {} : { chosen: setting }),
    };
  };
  const list = () => limitNames.map(view);
  return {
    'limits.list': list,
    'limits.set': ({ name, value }) => {
      if (value === null) chosen.delete(name);
      else chosen.set(name, value);
      return list();
    },
  };
}
