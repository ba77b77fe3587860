import { findMissingInput } from '../../process/containers/container-command.ts';
import {
  type Diagnosis,
  type DiagnosisRule,
  firstGroup,
  lineRule,
  type ProgramOutput,
} from './output-rows.ts';

/** Failures reported by Docker and Podman. */
export const containerRows: readonly DiagnosisRule[] = [
  lineRule(/^(?:docker: )?[Cc]annot connect to (?:the )?(Docker|Podman)/, ([engine = '']) =>
    engineNotRunning(engine),
  ),
  lineRule(
    /Cannot connect to the (Docker) daemon|failed to connect to the (?:docker) API|(?:docker) daemon is not running/i,
    () => engineNotRunning('Docker'),
  ),
  lineRule(/open \/\/\.\/pipe\/docker/, () => engineNotRunning('Docker')),
  lineRule(/invalid reference format/, () => ({
    code: 'image_not_found',
    sentence: 'The name of the container image is not valid.',
    fix: 'Fix the name of the image in the arguments; it must not contain spaces or capital letters.',
  })),
  lineRule(/bind source path does not exist: (.{1,300})$/, ([path = '']) => ({
    code: 'path_missing',
    subject: path,
    sentence: `${path} does not exist, so Docker cannot mount it.`,
    fix: 'Create the folder, or fix the path in the arguments.',
  })),
  lineRule(/no matching manifest for (\S{1,60})/, ([system = '']) => ({
    code: 'image_not_found',
    sentence: `The container image is not built for this kind of computer (${system}).`,
    fix: 'Add "--platform", "linux/amd64" after "run" in the arguments, or use another image.',
  })),
  lineRule(/permission denied while trying to connect to the Docker/i, () => ({
    code: 'docker_denied',
    sentence: 'You do not have permission to use Docker on this computer.',
    fix: 'Add yourself to the group "docker" and sign in again, or use Docker Desktop or Podman.',
  })),
  lineRule(
    /(?:pull access denied for|manifest for|No such image:|initializing source docker:\/\/) ?([\w./:@-]{1,200}?)(?:,| not found|:? |$)/,
    ([image = '']) => imageNotFound(image),
  ),
  lineRule(/manifest unknown|repository does not exist/, (_groups, words) =>
    imageNotFound(firstGroup(words, /Unable to find image '([^']{1,200})'/) ?? ''),
  ),
  lineRule(/The container name "\/?([^"]{1,100})" is already in use/, ([name = '']) => ({
    code: 'container_name_taken',
    subject: name,
    sentence: `Another container is already named ${name}.`,
    fix: `Remove it with "docker rm -f ${name}", or remove "--name" from the arguments.`,
  })),
  lineRule(/exec: "([^"]{1,200})": executable file not found/, ([program = '']) => ({
    code: 'package_unusable',
    subject: program,
    sentence: `The container image has no program called ${program}.`,
    fix: 'Fix the command after the image in the arguments.',
  })),
  lineRule(/\binput device is not a TTY|\bprovided file is not a console\b|cannot enable tty mode/i, () => ({
    code: 'argument_unknown',
    subject: '-t',
    sentence: 'The container asks for a terminal (-t), which Patchbay does not provide.',
    fix: 'Remove -t from the arguments: change "-it" to "-i", and remove "--tty".',
  })),
  missingInput,
];

/** A container without input, or in the background, exits at once with code 0. */
function missingInput({ command, args, exit }: ProgramOutput): Diagnosis | undefined {
  const lacked = exit?.code === 0 ? findMissingInput(command, args) : undefined;
  if (lacked === undefined) return undefined;
  const { verb, instead } = lacked;
  const sentence =
    instead === '-d'
      ? 'The container runs in the background (-d), where Patchbay cannot talk to it.'
      : 'The container exited at once because it was started without input (-i).';
  const fix =
    instead === undefined
      ? `Add -i after "${verb}" in the arguments.`
      : `Replace ${instead} with -i in the arguments.`;
  return { code: 'argument_missing', subject: '-i', sentence, fix };
}

function engineNotRunning(engine: string): Diagnosis {
  return {
    code: 'docker_not_running',
    subject: engine.toLowerCase(),
    sentence: `${engine} is not running.`,
    fix: `Start ${engine}, then try again.`,
  };
}

function imageNotFound(image: string): Diagnosis {
  return {
    code: 'image_not_found',
    subject: image,
    sentence:
      image === ''
        ? 'The container image was not found.'
        : `The container image ${image} does not exist, or you do not have access to it.`,
    fix: 'Check the name of the image; a private one needs "docker login".',
  };
}
