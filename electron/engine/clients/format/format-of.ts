import type { ConfigFormat, Language } from './contract.ts';
import { json } from './json.ts';

/** Returns the format of a language. The TOML and YAML parsers are loaded on first use. */
export async function formatOf(language: Language): Promise<ConfigFormat> {
  switch (language) {
    case 'json':
      return json;
    case 'toml':
      return (await import('./toml.ts')).toml;
    case 'yaml':
      return (await import('./yaml.ts')).yaml;
  }
}
