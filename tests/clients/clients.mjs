import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage, packageFolder } from '../bench/lib/install.mjs';
import { generateContent } from './model/generate-content.mjs';
import { messages } from './model/messages.mjs';
import { responses } from './model/responses.mjs';

/** Folder in which clients are installed once; outside the repository. */
const cache = join(tmpdir(), 'patchbay-real-clients');
const prompt = 'Go through the acts.';

/**
 * Real clients, in the version that is tried. `id` is what `patchbay connect` calls it, `calls`
 * part of what it calls itself, `file` its config in a home,
 * `prepare` leaves a home as the client would, `run` tells how it is asked one thing without a window, given its folder and
 * the port of its model.
 */
export const clients = [
  {
    name: 'Claude Code',
    id: 'claude-code',
    calls: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    dialect: messages,
    file: '.claude.json',
    /** The package installs its program with a script of its own. */
    afterInstall: (folder) => runNode(inside(folder, '@anthropic-ai/claude-code/install.cjs')),
    prepare: (home) => put(home, '.claude.json', { hasCompletedOnboarding: true }),
    run: (port) => ({
      args: ['-p', prompt, '--allowedTools', 'mcp__patchbay', '--output-format', 'json'],
      env: {
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // Otherwise its first turn has no tools yet, and all later ones a search for them.
        MCP_CONNECTION_NONBLOCKING: 'false',
        ENABLE_TOOL_SEARCH: 'false',
      },
      program: 'claude',
    }),
  },
  {
    name: 'Codex',
    id: 'codex',
    calls: 'codex',
    package: '@openai/codex',
    version: '0.171.0',
    dialect: responses,
    file: '.codex/config.toml',
    prepare: (home, port) =>
      put(
        home,
        '.codex/config.toml',
        `# as it was\nmodel = "scripted"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "http://127.0.0.1:${port}/v1"\nenv_key = "SCRIPTED_KEY"\nwire_api = "responses"\n`,
      ),
    run: () => ({
      args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
      env: { SCRIPTED_KEY: 'none' },
      program: 'codex',
    }),
  },
  {
    name: 'Gemini CLI',
    id: 'gemini-cli',
    calls: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    dialect: generateContent,
    file: '.gemini/settings.json',
    prepare: (home) =>
      put(home, '.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } }),
    run: (port) => ({
      args: ['-p', prompt, '--yolo', '-m', 'gemini-2.5-flash'],
      env: {
        GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
        GEMINI_API_KEY: 'none',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      program: 'gemini',
    }),
  },
];

/** The folder in which it is installed; rejects with the reason where it cannot be. */
export async function installed({ package: name, version, afterInstall }) {
  const folder = packageFolder(cache, name, version);
  await installPackage({ name, version, folder });
  await afterInstall?.(folder);
  return folder;
}

export const programOf = (folder, name) => join(folder, 'node_modules', '.bin', name);

const inside = (folder, path) => join(folder, 'node_modules', path);

const runNode = (file) =>
  promisify(execFile)(process.execPath, [file], { cwd: dirname(file), timeout: 60_000 });

async function put(home, path, content) {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`);
}

export const configOf = (home, { file }) => readFile(join(home, file), 'utf8');
