import type { Problem } from '../../../../shared/error/problem.ts';
import type { CallbackPage } from './callback-server.ts';
import { ServiceRefusal } from './service-refusal.ts';
import { failureFacts, signInFailed, withServerWords } from './sign-in-problem.ts';

export const unexpectedPage: CallbackPage = {
  status: 400,
  title: 'Sign-in not expected',
  text: 'Patchbay is not waiting for this sign-in. Start it again in Patchbay.',
};

export const successPage: CallbackPage = {
  status: 200,
  title: 'Signed in',
  text: 'You can close this page and go back to Patchbay.',
};

export const retryPage: CallbackPage = {
  status: 302,
  title: 'One more try',
  text: 'Patchbay is trying another way to sign in.',
};

/** A service may refuse on its own page, and never send the browser back. */
export function timedOut(hadResource: boolean) {
  const again = 'Start it again.';
  const fix = hadResource
    ? `${again} If the service showed an error about a resource, set patchbay.oauth.resource to false first.`
    : again;
  return signInFailed('The browser did not return from the sign-in in time.', fix);
}

/** The page shown in the browser says that the service accepts no resource. */
export function resourceRefused() {
  const sentence = 'The service rejects sign-ins that name the server they are for.';
  return signInFailed(
    sentence,
    'Sign in again: Patchbay will not name the server this time (patchbay.oauth.resource).',
  );
}

export function pageRefused(refusal: ServiceRefusal, [host, otherHost]: readonly [string, string]) {
  const fix =
    host === otherHost
      ? 'See the service’s message. If it is about the redirect URL, check patchbay.oauth.redirectUri.'
      : `Sign in again: the redirect URL will use ${otherHost} instead of ${host}.`;
  const sentence = withServerWords('The service refused the sign-in.', refusal.words);
  return signInFailed(sentence, fix, failureFacts(refusal), refusal);
}

/** The page shown in the browser says that the service accepts no client id metadata document, or not this one. */
export function documentRefused(refusal: ServiceRefusal) {
  const sentence = withServerWords('The service refused the client ID metadata document.', refusal.words);
  const fix = 'Sign in again: Patchbay will register with the service instead.';
  return signInFailed(sentence, fix, failureFacts(refusal), refusal);
}

export function portTaken(port: number, other: string) {
  const sentence = `Another program uses port ${port}, and the service accepts no other port in the redirect URL.`;
  const fix = `Close that program and sign in again, or register ${other} with the service and enter that URL.`;
  return signInFailed(sentence, fix, { port });
}

export function notCompleted(error: unknown) {
  const words = error instanceof ServiceRefusal ? error.words : undefined;
  const sentence = withServerWords('The service did not complete the sign-in.', words);
  return signInFailed(sentence, 'Sign in again.', failureFacts(error), error);
}

export function failedPage({ sentence, fix, evidence }: Problem): CallbackPage {
  const said = evidence.map(({ label, value }) => `${label}: ${value}`).join(', ');
  const text = [sentence, said === '' ? '' : `(${said})`, fix].filter((part) => part !== '');
  return { status: 400, title: 'Not signed in', text: text.join(' ') };
}
