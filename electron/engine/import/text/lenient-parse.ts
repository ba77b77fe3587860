import type { ConfigFormat } from '../../clients/format/contract.ts';

/** YAML as people write it: names of packages and stars, which its grammar reserves, without quotes. */
export function parsedYaml(format: ConfigFormat, text: string): unknown {
  try {
    return format.parse(text);
  } catch (error) {
    const quoted = text
      .replace(/(^[ \t]*(?:-[ \t]+)?|[[,:][ \t]+|\[)(@[\w./@-]+)(?=[ \t]*(?:[,\]]|$))/gm, '$1"$2"')
      .replace(/(:[ \t]+)(\*{2,}|%\w+%)[ \t]*$/gm, '$1"$2"');
    if (quoted === text) throw error;
    return format.parse(quoted);
  }
}

/** TOML with words of people before and after it. */
export function parsedToml(format: ConfigFormat, text: string): unknown {
  try {
    return format.parse(text);
  } catch (error) {
    const lines = text.split('\n');
    const first = lines.findIndex((line) => /^[ \t]*\[{1,2}[^\][]{1,300}\]{1,2}[ \t]*(?:#.*)?$/.test(line));
    const last = lines.findLastIndex((line) => /^[ \t]*(?:[\w."'@/-]{1,200}[ \t]*=|\[|[\]}])/.test(line));
    if (first === -1 || last < first || (first === 0 && last === lines.length - 1)) throw error;
    try {
      return format.parse(lines.slice(first, last + 1).join('\n'));
    } catch {
      throw error;
    }
  }
}
