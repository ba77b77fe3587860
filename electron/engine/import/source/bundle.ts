import { join } from 'node:path';
import { z } from 'zod';
import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import type { Machine } from '../../clients/machine.ts';
import { secretNameOf } from '../../config/entry/plain-secrets.ts';
import type { Entry, FoundServer, FoundSource } from '../found.ts';
import { InputCollector } from '../reference/input-collector.ts';
import { mapEntry } from '../reference/map-texts.ts';
import { homeReference, type ReferenceContext, readReferences } from '../reference/references.ts';
import { type UserFolders, userFolders } from './user-folders.ts';
import { badBundle, extractAll, readMember } from './zip.ts';

interface BundleMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly folders?: UserFolders;
}

/**
 * Reads the manifest of an `.mcpb` bundle; its files are extracted only when it is added. Rejects with
 * `import.bad_bundle`.
 */
export async function readBundle(file: string, on: Machine): Promise<FoundSource> {
  const manifest = await readManifest(file);
  const machine = { ...on, folders: await userFolders(on) };
  const inputs = new InputCollector();
  const entry = mapEntry(launchConfigOf(manifest, machine.platform), (text) =>
    adaptText(text, manifest, machine, inputs),
  );
  return {
    title: manifest.display_name ?? manifest.name,
    file,
    servers: [
      {
        key: manifest.name,
        title: manifest.display_name,
        entry,
        issues: issuesOf(manifest, machine.platform),
        bundle: {
          token: folderToken,
          folder: folderName(`${manifest.name}-${manifest.version}`),
          extract: (folder) => extractAll(file, folder),
        },
      },
    ],
    inputs: inputs.all,
    issues: [],
  };
}

/** Returns whether a value is the manifest of a bundle. */
export function isManifest(value: unknown): boolean {
  return (
    isRecord(value) &&
    (value.manifest_version !== undefined || value.dxt_version !== undefined) &&
    isRecord(value.server) &&
    manifestSchema.safeParse(value).success
  );
}

/** Returns the server of a manifest without its files: the user is asked for their folder. */
export function readManifestText(
  value: unknown,
  context: ReferenceContext & BundleMachine,
  inputs: InputCollector,
): readonly FoundServer[] {
  const manifest = manifestSchema.parse(value);
  const entry = mapEntry(launchConfigOf(manifest, context.platform), (text) =>
    adaptText(text, manifest, context, inputs),
  );
  const message = 'only the manifest of a bundle was read; import its .mcpb file to get the program too';
  return [
    {
      key: manifest.name,
      entry: readReferences(entry, manifest.name, { ...context, dollar: true }, inputs),
      issues: [...issuesOf(manifest, context.platform), { severity: 'warning', path: '', message }],
    },
  ];
}

const folderToken = `\${__dirname}`;

const textRecord = z.record(z.string(), z.coerce.string());
const launchSchema = z.object({
  command: z.string(),
  args: z.array(z.coerce.string()).optional(),
  env: textRecord.optional(),
});
const settingSchema = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});
const manifestSchema = z.object({
  name: z.string().min(1),
  version: z.string(),
  display_name: z.string().optional(),
  server: z.object({
    type: z.string(),
    entry_point: z.string().optional(),
    mcp_config: launchSchema
      .extend({ platform_overrides: z.record(z.string(), launchSchema.partial()).optional() })
      .optional(),
  }),
  user_config: z.record(z.string(), settingSchema).optional(),
  compatibility: z.object({ platforms: z.array(z.string()).optional() }).optional(),
});
type Manifest = z.infer<typeof manifestSchema>;
type Setting = z.infer<typeof settingSchema>;

async function readManifest(file: string): Promise<Manifest> {
  const text = await readMember(file, 'manifest.json');
  if (text === undefined) throw badBundle(file, 'it has no manifest.json');
  const parsed = manifestSchema.safeParse(parseJson(file, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badBundle(file, `its manifest is invalid at ${issue?.path.join('.')}: ${issue?.message}`);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw badBundle(file, 'its manifest is not valid JSON');
  }
}

/**
 * Returns the launch config for this system, merged over the common one; without any, the default of its
 * type.
 */
function launchConfigOf({ server }: Manifest, platform: NodeJS.Platform): Entry {
  const { mcp_config: config, type, entry_point: start = '' } = server;
  if (config === undefined) return defaultLaunch(type, `\${__dirname}/${start}`, platform);
  const { platform_overrides: overrides = {}, ...common } = config;
  const own = Object.hasOwn(overrides, platform) ? overrides[platform] : undefined;
  return { ...common, ...own, ...(own?.env === undefined ? {} : { env: { ...common.env, ...own.env } }) };
}

function defaultLaunch(type: string, start: string, platform: NodeJS.Platform): Entry {
  switch (type) {
    case 'node':
      return { command: 'node', args: [start] };
    case 'python':
      // The Windows installer creates no python3.
      return { command: platform === 'win32' ? 'python' : 'python3', args: [start] };
    case 'uv':
      return { command: 'uv', args: ['run', '--directory', folderToken, start] };
    default:
      return { command: start };
  }
}

/** Replaces folders and separators, and turns settings into inputs. */
function adaptText(text: string, manifest: Manifest, machine: BundleMachine, inputs: InputCollector): string {
  const home = homeReference(machine.platform);
  return text.replace(/\$\{([^{}]+)\}/g, (whole, name: string) => {
    const setting = /^user_config\.(.+)$/.exec(name)?.[1];
    if (setting !== undefined) {
      const declared = manifest.user_config?.[setting] ?? {};
      inputs.add(inputOf(setting, declared, machine), { text: whole });
      return whole;
    }
    if (name === '/' || name === 'pathSeparator') return machine.platform === 'win32' ? '\\' : '/';
    return defaultFolders[name] === undefined
      ? whole
      : (machine.folders?.[name] ?? `${home}${defaultFolders[name]}`);
  });
}

const defaultFolders: Readonly<Record<string, string>> = {
  HOME: '',
  DESKTOP: '/Desktop',
  DOCUMENTS: '/Documents',
  DOWNLOADS: '/Downloads',
};

function inputOf(name: string, setting: Setting, machine: BundleMachine): ImportInput {
  const isSecret = setting.sensitive === true;
  const preset = isSecret ? undefined : presetOf(setting.default, machine);
  return {
    id: `setting:${name}`,
    title: setting.title ?? name,
    kind: isSecret ? 'password' : (kinds[setting.type ?? ''] ?? 'text'),
    required: setting.required === true && preset === undefined,
    description: setting.description,
    default: preset,
    secretName: isSecret ? secretNameOf(name) : undefined,
    multiple: setting.multiple === true ? true : undefined,
  };
}

const kinds: Readonly<Record<string, ImportInput['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  directory: 'folder',
  file: 'file',
};

/** Defaults may contain the same folder variables. */
function presetOf(value: unknown, { home, platform, folders }: BundleMachine): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const texts = (Array.isArray(value) ? value : [value]).map(scalarText);
  const separator = platform === 'win32' ? '\\' : '/';
  return texts
    .map((text) =>
      text
        .replace(/^~(?=$|[\\/])/, home)
        .replace(
          /\$\{(HOME|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g,
          (_, name: string) => folders?.[name] ?? home + (defaultFolders[name] ?? ''),
        )
        .replace(/\$\{\/\}/g, () => separator),
    )
    .join('\n');
}

function issuesOf({ compatibility, server }: Manifest, platform: NodeJS.Platform): readonly EntryIssue[] {
  const platforms = compatibility?.platforms;
  const elsewhere = platforms !== undefined && platforms.length > 0 && !platforms.includes(platform);
  return [
    ...(elsewhere
      ? [
          {
            severity: 'error' as const,
            path: '',
            message: `this bundle only supports ${platforms.join(', ')}`,
          },
        ]
      : []),
    ...(server.type === 'python' && server.mcp_config === undefined
      ? [
          {
            severity: 'warning' as const,
            path: 'command',
            message: 'the Python installed on this machine is used',
          },
        ]
      : []),
  ];
}

function folderName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[.-]+/, '') || 'bundle';
  const [beforeDot = ''] = name.split('.');
  return devices.has(beforeDot.toLowerCase()) ? `bundle-${name}` : name;
}

/** Names of devices on Windows, whatever follows after a dot. */
const devices: ReadonlySet<string> = new Set([
  ...['con', 'prn', 'aux', 'nul'],
  ...Array.from({ length: 10 }, (_, number) => [`com${number}`, `lpt${number}`]).flat(),
]);

/** Returns the folder's path with a number, from the second one. */
export function numberedFolder(parent: string, name: string, number: number): string {
  return join(parent, number === 1 ? name : `${name}-${number}`);
}
