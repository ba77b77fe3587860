import { isRecord, scalarText } from '../../../../../shared/json.ts';
import type { Entry } from './dialects.ts';

/**
 * Reads a server that is a container image: `container` with `entrypointArgs` (GitHub's workflows), `image`
 * with its arguments (ToolHive, Docker's catalogues). With `container`, `args` are Docker's own, before the
 * image.
 */
export function readContainer(entry: Entry): Entry {
  const {
    container,
    image,
    entrypoint,
    entrypointArgs,
    cmd_args: given,
    args,
    mounts,
    volumes,
    ...rest
  } = entry;
  const name = [container, image].find((one) => typeof one === 'string' && one !== '');
  if (typeof name !== 'string' || entry.command !== undefined || entry.url !== undefined) return entry;
  // An image that serves over HTTP does not respond on stdio.
  if (!/^(?:|stdio|local|image|server|docker|container|oci)$/.test(scalarText(entry.type))) return entry;
  const isOwn = name === container;
  const { type: _, transport: __, secrets, env: written, ...own } = rest;
  const env = { ...(isRecord(written) ? written : {}), ...secretsIn(secrets) };
  const variables = Object.keys(env);
  return {
    ...own,
    ...(variables.length === 0 ? {} : { env }),
    command: 'docker',
    args: [
      ...['run', '-i', '--rm'],
      ...(isOwn ? words(args) : []),
      ...[...words(mounts), ...words(volumes)].flatMap((folder) => ['-v', folder]),
      ...variables.flatMap((variable) => ['-e', variable]),
      ...words(entrypoint).flatMap((program) => ['--entrypoint', program]),
      name,
      ...words(entrypointArgs),
      ...words(given),
      ...(isOwn ? [] : words(args)),
    ],
  };
}

/** Reads ToolHive's `name,target=VARIABLE`, whose values stay with ToolHive. */
function secretsIn(secrets: unknown): Entry {
  const names = words(secrets).flatMap((one) => /,target=(\w{1,100})$/.exec(one)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [name, `<${name}>`]));
}

function words(value: unknown): readonly string[] {
  if (typeof value === 'string' && value !== '') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
