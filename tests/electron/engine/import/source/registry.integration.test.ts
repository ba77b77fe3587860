// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { importBench } from '../../../../helper/importer.ts';

const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
  name: 'io.github.acme/weather',
  description: 'Weather',
  version: '1.0.2',
  packages: [
    {
      registryType: 'npm',
      identifier: '@acme/weather',
      version: '1.0.2',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'named', name: '--units', description: 'Units', default: 'metric' },
        { type: 'named', name: '--port', valueHint: 'port' },
        { type: 'named', name: '--quiet' },
        {
          type: 'named',
          name: '--key',
          value: 'v1-{key}',
          variables: { key: { isSecret: true, isRequired: true } },
        },
      ],
      environmentVariables: [
        { name: 'API_KEY', description: 'Your key', isRequired: true, isSecret: true },
        { name: 'REGION', choices: ['eu', 'us'] },
        { name: 'MODE', value: 'fast' },
      ],
    },
    { registryType: 'pypi', identifier: 'acme-weather', version: '2.0', transport: { type: 'stdio' } },
    {
      registryType: 'oci',
      identifier: 'docker.io/acme/weather:3',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'MODE', value: 'fast' }],
    },
    {
      registryType: 'npm',
      identifier: 'x',
      transport: { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp' },
    },
    { registryType: 'mcpb', identifier: 'https://h/w.mcpb', transport: { type: 'stdio' } },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{tenant}.acme.dev/mcp',
      variables: { tenant: { isRequired: true } },
      headers: [{ name: 'X-Key', isSecret: true }],
    },
  ],
};

describe('a server.json of the registry', () => {
  it('[PB-CLIENT-2] is a server for each of its packages and addresses', async () => {
    await using bench = await importBench();
    for (const text of [JSON.stringify(server), JSON.stringify({ server, _meta: {} })]) {
      const { entries } = await bench.importer.parse(text);
      expect(entries.map(({ key, target }) => `${key}: ${target}`)).toEqual([
        'weather: npx -y @acme/weather@1.0.2 serve --units ${input:registry.3} --port ${input:registry.4} --quiet --key •••',
        'weather-2: uvx acme-weather==2.0',
        'weather-3: docker run -i --rm -e MODE docker.io/acme/weather:3',
        'weather-4: ',
        'weather-5: ',
        'weather-6: https://${input:registry.7}.acme.dev/mcp',
      ]);
      expect(entries.map(({ suggested }) => suggested)).toEqual([true, true, true, false, false, true]);
    }
  });

  it('[PB-CLIENT-2] [NFR-SEC1] asks for what it leaves open, and leaves out what stays so', async () => {
    await using bench = await importBench();
    const preview = await bench.importer.parse(JSON.stringify(server));
    expect(preview.inputs.map(({ id, title, kind, required }) => [id, title, kind, required])).toEqual([
      ['registry:1', 'API_KEY', 'password', true],
      ['registry:2', 'REGION', 'choice', false],
      ['registry:3', 'units', 'text', false],
      ['registry:4', 'port', 'text', false],
      ['registry:5', 'key', 'password', true],
      ['registry:6', 'X-Key', 'password', false],
      ['registry:7', 'tenant', 'text', true],
    ]);
    const inputs = [
      { id: 'registry:1', value: 'a', secretName: 'API_KEY' },
      { id: 'registry:2', value: 'eu' },
      { id: 'registry:5', value: 'b', secretName: 'KEY' },
      { id: 'registry:7', value: 'me' },
    ];
    expect((await bench.addSuggested(preview, { inputs })).failed).toEqual([]);
    expect(await bench.entry('weather')).toEqual({
      command: 'npx',
      args: [
        '-y',
        '@acme/weather@1.0.2',
        'serve',
        '--units',
        'metric',
        '--quiet',
        '--key',
        'v1-${secret:KEY}',
      ],
      env: { API_KEY: '${secret:API_KEY}', REGION: 'eu', MODE: 'fast' },
    });
    expect(await bench.entry('weather-6')).toEqual({
      type: 'http',
      url: 'https://me.acme.dev/mcp',
    });
  });
});
