import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { fakePorts, serveApi } from '../../../helper/api.ts';

describe('the description of the API', () => {
  it('[API-1] is valid OpenAPI 3.1 by an independent validator, and needs no token', async () => {
    await using api = await serveApi(fakePorts().ports);
    const response = await api.ask('/openapi.json', { token: '' });
    const document = await response.json();
    expect(await new Validator().validate(document)).toEqual({ valid: true });
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Patchbay', version: '1.2.3' } });
  });

  it('[API-1] has every path of the two documents, and of skills', async () => {
    await using api = await serveApi(fakePorts().ports);
    const { paths } = (await (await api.ask('/openapi.json')).json()) as { paths: Record<string, object> };
    const served = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(served).toEqual(expect.arrayContaining(documented));
    expect(new Set(served).size).toBe(served.length);
  });

  it('[API-1] has no path that the page about REST leaves out', async () => {
    await using api = await serveApi(fakePorts().ports);
    const { paths } = (await (await api.ask('/openapi.json')).json()) as { paths: Record<string, object> };
    const page = await readFile(new URL('../../../../docs/rest.md', import.meta.url), 'utf8');
    const named = new Set(Array.from(page.matchAll(/`(…?\/[^`]*)`/g), ([, path = '']) => unnamed(path)));
    const left = Object.keys(paths).filter((path) => !forms(unnamed(path)).some((form) => named.has(form)));
    expect(left).toEqual([]);
  });

  it('[API-1] is also a page, without scripts and external resources', async () => {
    await using api = await serveApi(fakePorts().ports);
    const response = await api.ask('/docs', { token: '' });
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('/api/v1/aggregator/servers');
    expect(page).not.toContain('`');
    expect(page).toContain('&quot;connection_config&quot;: {');
    expect(page).toContain('&quot;token_ttl&quot;'.replace('token_ttl', 'agent_id'));
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\//);
  });
});

/** Parameters have shorter names on the page. */
function unnamed(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}

/** The path as a whole, and cut as on the page: `…/{id}/connect`. */
function forms(path: string): readonly string[] {
  const parts = path.split('/').slice(1);
  return [path, ...parts.map((_part, index) => `…/${parts.slice(index).join('/')}`)];
}

const documented = [
  'GET /api/v1/aggregator/servers',
  'POST /api/v1/aggregator/servers',
  'GET /api/v1/aggregator/servers/{id}',
  'PATCH /api/v1/aggregator/servers/{id}',
  'DELETE /api/v1/aggregator/servers/{id}',
  'POST /api/v1/aggregator/servers/{id}/connect',
  'POST /api/v1/aggregator/servers/{id}/disconnect',
  'GET /api/v1/aggregator/servers/{id}/health',
  'GET /api/v1/tools',
  'POST /api/v1/tools/call',
  'POST /api/v1/search',
  'GET /api/v1/skills',
  'GET /api/v1/skills/suggestions',
  'POST /api/v1/skills/reclassify',
  'POST /api/v1/mcp/register',
  'GET /api/v1/mcp/tools',
  'GET /api/v1/mcp/tools/{server_id}/{tool_name}',
  'POST /api/v1/mcp/invoke',
  'POST /api/v1/mcp/policies/grant',
  'GET /api/v1/mcp/policies/{agent_id}',
  'GET /api/v1/mcp/circuit-breakers',
  'GET /api/v1/mcp/metrics',
  'GET /api/v1/events',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
];
