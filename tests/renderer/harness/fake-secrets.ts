import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { SecretsView } from '../../../shared/model/hub/secret.ts';

type SecretCall = Extract<IpcCallName, `secret.${string}`>;
type SecretHandlers = { [N in SecretCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes a vault: names are reported, values are dropped. */
export function fakeSecrets(first: () => SecretsView, push: (view: SecretsView) => void): SecretHandlers {
  let known: SecretsView | undefined;
  const now = () => known ?? first();
  const change = (secrets: SecretsView['secrets'], missing = now().missing) => {
    known = { secrets, missing };
    push(known);
    return undefined;
  };
  const others = (name: string) => now().secrets.filter((secret) => secret.name !== name);
  return {
    'secret.list': now,
    'secret.set': ({ name }) => {
      const known = [...now().secrets, ...now().missing].find((one) => one.name === name);
      const stored = { name, storedAt: Date.now(), keeper: 'keychain' as const, readable: true };
      const secrets = [...others(name), { ...stored, usedBy: known?.usedBy ?? [] }];
      return change(
        secrets.toSorted((a, b) => a.name.localeCompare(b.name)),
        now().missing.filter((one) => one.name !== name),
      );
    },
    'secret.delete': ({ name }) => change(others(name)),
  };
}
