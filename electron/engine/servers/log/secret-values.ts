import { isSecretName } from '../../base/mask/secret-name.ts';
import { embeddedSecrets, secretParts } from '../../base/mask/secret-parts.ts';
import { hasSecretShape } from '../../base/mask/secret-shape.ts';
import type { LaunchTarget, ServerConfig } from '../server-config.ts';

/**
 * Returns everything about a server that must never be shown, in all forms in which the server may repeat it.
 */
export function secretsOf({
  target,
  secrets = [],
}: Pick<ServerConfig, 'target' | 'secrets'>): readonly string[] {
  const known = secrets.flatMap(secretParts);
  return target.ok ? [...known, ...targetSecrets(target.value)] : known;
}

function targetSecrets(target: LaunchTarget): readonly string[] {
  if (target.kind === 'stdio') return [...fieldSecrets(target.env), ...argumentSecrets(target.args)];
  const { headers, url, oauth } = target;
  const clientSecret = oauth?.clientSecret;
  return [
    ...fieldSecrets(headers),
    ...embeddedSecrets(url),
    ...(clientSecret === undefined ? [] : secretParts(clientSecret)),
  ];
}

function fieldSecrets(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => namedSecrets(name, value));
}

function namedSecrets(name: string, value: string): readonly string[] {
  if (isSecretName(name) && !isPath(value)) return secretParts(value);
  const inside = embeddedSecrets(value);
  return hasSecretShape(value) && !isPath(value) && !isAddress(value) ? [value, ...inside] : inside;
}

/** Finds secrets in arguments: `--api-key abc`, `--token=abc`, `Authorization: Bearer abc`, and URLs. */
function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const option = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1];
    const [, name, value = ''] = /^-{0,2}([A-Za-z][\w.-]*)[=:](?!\/\/)\s*(.*)$/s.exec(word) ?? [];
    return [
      ...(option !== undefined && isSecretName(option) && !word.startsWith('-') ? secretParts(word) : []),
      ...(name === undefined ? [] : namedSecrets(name, value)),
      ...embeddedSecrets(word),
    ];
  });
}

function isPath(value: string): boolean {
  const looksLikeOne = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\\/]+[\\/.]/.test(value);
  return looksLikeOne && !value.split(/[\\/]/).some(hasSecretShape);
}

function isAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value);
}
