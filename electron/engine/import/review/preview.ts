import { entryVariables } from '../../../../shared/model/import/entry-variable.ts';
import type {
  ImportEntry,
  ImportInput,
  ImportPreview,
} from '../../../../shared/model/import/import-session.ts';
import type { FoundSource } from '../found.ts';
import { distinctInputs } from '../source/read-apps.ts';
import { shownTarget, transportOf } from './review-source.ts';
import type { ReviewedServer } from './reviewed.ts';

/** Builds the preview of a source: without values of variables or headers, and without secrets. */
export function previewOf(
  session: string,
  source: FoundSource,
  reviewed: readonly ReviewedServer[],
  isStored: (name: string) => boolean,
): ImportPreview {
  const taken = new Set(reviewed.flatMap(({ secrets }) => secrets.map(({ secretName }) => secretName)));
  return {
    session,
    title: source.title,
    entries: reviewed.map(entryOf),
    inputs: distinctInputs(reviewed.flatMap(({ inputs }) => inputs)).map((input) =>
      withFreeName(input, (name) => taken.has(name) || isStored(name)),
    ),
    issues: source.issues,
    apps: source.apps ?? [],
    file: source.file,
    forms: source.forms,
  };
}

/** The typed value is not known yet, so it must not share the name of another secret. */
function withFreeName(input: ImportInput, isTaken: (name: string) => boolean): ImportInput {
  const { secretName } = input;
  if (secretName === undefined || !isTaken(secretName)) return input;
  for (let number = 2; ; number += 1) {
    const name = `${secretName}_${number}`;
    if (!isTaken(name)) return { ...input, secretName: name };
  }
}

function entryOf(judged: ReviewedServer): ImportEntry {
  const { id, key, title, found, issues, duplicate, secrets, inputs } = judged;
  const isBad = issues.some(({ severity }) => severity === 'error');
  const isKnown = duplicate !== undefined && (duplicate.kind === 'target' || duplicate.same);
  return {
    id,
    key,
    writtenKey: found.key,
    title,
    target: shownTarget(judged),
    transport: transportOf(found.entry),
    disabled: found.entry.disabled === true,
    variables: entryVariables(found.entry),
    issues,
    secrets: secrets.map(({ id: secret, location, secretName }) => ({
      id: secret,
      path: location.path.join('.'),
      secretName,
    })),
    inputs: inputs.map(({ view }) => view.id),
    origins: (found.origins ?? []).map(({ client, title }) => ({ client, title })),
    suggested: !isBad && !isKnown,
    duplicate,
    project: found.project,
  };
}
