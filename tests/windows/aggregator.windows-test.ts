import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasProcess } from '../../electron/engine/store/files/process-identity.ts';
import { startAggregator } from '../helper/aggregator.ts';
import { eventually } from '../helper/eventually.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { textOf } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

/** A shim as npm writes one for a package that is installed globally, and the script for shells beside it. */
async function npmShim(folder: string, name: string): Promise<void> {
  const script = join(folder, 'node_modules', name, 'index.js');
  await mkdir(join(folder, 'node_modules', name), { recursive: true });
  await writeFile(script, `await import(${JSON.stringify(pathToFileURL(fixture('surroundings')).href)});\n`);
  await writeFile(join(folder, 'node_modules', name, 'package.json'), '{"type":"module"}');
  const lines = [
    '@ECHO off',
    'GOTO start',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
    ':start',
    'SETLOCAL',
    'CALL :find_dp0',
    `SET "_prog=${process.execPath}"`,
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\${name}\\index.js" %*`,
  ];
  await writeFile(join(folder, `${name}.cmd`), lines.join('\r\n'));
  await writeFile(join(folder, name), '#!/bin/sh\nexit 1\n');
}

describe('mcp-simple-aggregator on Windows', () => {
  it('[US1.1] starts a shim of npm by its script, with every argument as it is written', async () => {
    await using folder = await tempDir();
    await npmShim(folder.path, 'kite-mcp');
    const args = ['a b', '100%', 'q"q', 'é', '', 'x&y', '%nothing%', '^'];
    await using aggregator = await startAggregator(
      { mcpServers: { kite: { command: 'kite-mcp', args } } },
      { env: { PATH: `${folder.path};${process.env.PATH}`, SystemRoot: process.env.SystemRoot ?? '' } },
    );
    const seen = JSON.parse(textOf(await aggregator.client.callTool({ name: 'kite:look', arguments: {} })));
    expect(seen.args).toEqual(args);
  });

  it('[PB-PROC-1] ends with its client, and so do servers that stay', async () => {
    const aggregator = await startAggregator(
      { mcpServers: { a: nodeEntry(fixture('stubborn')) } },
      { env: { SystemRoot: process.env.SystemRoot ?? '' } },
    );
    const answer = await aggregator.client.callTool({ name: 'a:pid', arguments: {} });
    const pid = Number(/\d+/.exec(textOf(answer))?.[0]);
    expect(hasProcess(pid)).toBe(true);
    await aggregator[Symbol.asyncDispose]();
    await eventually(() => expect([pid, aggregator.pid].filter(hasProcess)).toEqual([]));
  });
});
