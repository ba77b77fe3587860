import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContainerCommand } from '../../../../../../electron/engine/servers/process/containers/container-command.ts';
import {
  readContainerScript,
  unboundContainer,
} from '../../../../../../electron/engine/servers/process/containers/container-script.ts';

const read = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  const found = readContainerCommand(command, args);
  return found === undefined ? undefined : { ...found, rest: args.slice(found.optionsAt).join(' ') };
};

describe('a command line that starts a container', () => {
  it.each([
    ['docker run image', { general: [], rest: 'image' }],
    ['/usr/local/bin/docker run -i image', { general: [], rest: '-i image' }],
    ['C:\\Docker\\docker.EXE run image', { rest: 'image' }],
    ['podman --url unix:///x run image', { general: ['--url', 'unix:///x'] }],
    ['docker --context far run image', { general: ['--context', 'far'] }],
    [
      'docker --context=far -D -H tcp://x container run image',
      { general: ['--context=far', '-D', '-H', 'tcp://x'] },
    ],
    ['nerdctl --namespace k8s.io run image', { general: ['--namespace', 'k8s.io'] }],
    ['docker compose -f a.yml --profile x run service', { general: [], isCompose: true, rest: 'service' }],
    ['sudo -n docker run image', { general: ['-n', 'docker'] }],
    [
      'sudo -u me A=b DOCKER_HOST=c docker -D run image',
      { general: ['-u', 'me', 'DOCKER_HOST=c', 'docker', '-D'] },
    ],
    ['env A=b docker run image', { general: ['docker'] }],
    ['cmd /d /c docker run image', { general: ['/d', '/c', 'docker'] }],
    [
      'env -i -u X A=b DOCKER_HOST=c docker run image',
      { general: ['-i', '-u', 'X', 'DOCKER_HOST=c', 'docker'] },
    ],
    [
      'op run --env-file=.env -- docker run image',
      { general: ['run', '--env-file=.env', '--', 'docker'], rest: 'image' },
    ],
    ['doppler run -p x -- docker run image', { general: ['run', '-p', 'x', '--', 'docker'], rest: 'image' }],
    ['infisical run --env=dev -- sudo podman run image', { rest: 'image' }],
    ['chamber exec x -- nice docker run image', { rest: 'image' }],
    ['aws-vault exec me -- nice docker run image', { general: ['exec', 'me', '--', 'nice', 'docker'] }],
    ['nice docker run image', { general: ['docker'], rest: 'image' }],
    [
      'nice -n 5 timeout -k 5 60 docker run image',
      { general: ['-n', '5', 'timeout', '-k', '5', '60', 'docker'] },
    ],
    [
      'nohup sudo -n docker --context far run image',
      { general: ['sudo', '-n', 'docker', '--context', 'far'] },
    ],
    ['docker-compose -f a.yml run -T x', { general: [], isCompose: true, remover: 'docker', rest: '-T x' }],
    ['sudo podman-compose run x', { general: ['podman'], isCompose: true, rest: 'x' }],
    ['container --debug run --rm image', { general: ['--debug'], removesItself: false, rest: '--rm image' }],
    ['nerdctl.lima run image', { general: [], isElsewhere: false }],
    ['lima nerdctl run image', { general: ['nerdctl'], isElsewhere: true }],
    [
      'limactl shell --workdir / vm sudo docker run image',
      { general: ['shell', '--workdir', '/', 'vm', 'sudo', 'docker'], isElsewhere: true },
    ],
    ['colima nerdctl -- run image', { general: ['nerdctl', '--'] }],
    ['colima -p x ssh -- docker run image', { general: ['-p', 'x', 'ssh', '--', 'docker'] }],
    ['wsl -d U -- docker run image', { general: ['-d', 'U', '--', 'docker'], isElsewhere: true }],
    ['ssh -p 22 -o A=b me@far docker run image', { general: ['-p', '22', '-o', 'A=b', 'me@far', 'docker'] }],
    ['multipass exec vm -- docker run image', { general: ['exec', 'vm', '--', 'docker'] }],
    ['orb -m vm docker run image', { general: ['-m', 'vm', 'docker'] }],
    ['direnv exec . docker run image', { general: ['exec', '.', 'docker'] }],
    ['powershell -NoProfile -Command docker run image', { general: ['-NoProfile', '-Command', 'docker'] }],
    ['docker -lerror run image', { general: ['-lerror'] }],
  ])('is parsed: %s', (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  it.each(['colima nerdctl run image', 'docker-compose up x', 'limactl start vm', 'docker exec -i c x'])(
    'is none: %s',
    (line) => expect(read(line)).toBeUndefined(),
  );

  it.each([
    ['docker run --name mine image', { name: 'mine', removesItself: false }],
    ['docker run --rm --name=mine image', { name: 'mine', removesItself: true }],
    ['docker run --rm=false image', { removesItself: false }],
    ['docker run -it --cidfile f image', { cidfile: 'f' }],
    ['docker run -v --name:/x --name mine image', { name: 'mine' }],
    ['docker run -ie A=b --name mine image', { name: 'mine' }],
    ['docker run -e --name image --name other', {}],
    ['docker run -eA=b --name mine image', { name: 'mine' }],
    ['docker run -p8080:80 --name mine image', { name: 'mine' }],
    ['docker run --network host --name mine image', { name: 'mine' }],
    ['docker run --init --privileged --pull always --name mine image', { name: 'mine' }],
    ['docker run image --name its-own --rm', { removesItself: false }],
    ['docker run -- image --name its-own', {}],
    ['docker run -i image run --name its-own', {}],
    ['docker compose run -T --no-deps --name mine service', { name: 'mine' }],
  ])(
    'is parsed up to its image: %s',
    (line, { name, cidfile, removesItself = false }: Record<string, unknown>) => {
      const found = read(line);
      expect([found?.name, found?.cidfile, found?.removesItself]).toEqual([name, cidfile, removesItself]);
    },
  );

  it.each([
    'docker',
    'docker run',
    'docker run -i',
    'docker run --name',
    'docker exec -i container server',
    'docker start -ai container',
    'docker mcp gateway run',
    'docker compose up',
    'docker --unknown x run image',
    'dockerize run image',
    'npx docker run image',
    'sudo apt run image',
    'sudo -n',
    'node docker run image',
    'kubectl run image',
    'op run docker run image',
    'op run -- node docker run image',
  ])('is none, or unchanged: %s', (line) => {
    expect(read(line)).toBeUndefined();
  });

  it('is never altered after its verb, whatever it is', () => {
    const word = fc.constantFrom(
      'run',
      '-i',
      '--rm',
      '--name',
      'x',
      '--',
      '-e',
      'A=b',
      '-it',
      'compose',
      '-',
      '',
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const found = readContainerCommand('docker', words);
        if (found !== undefined) expect(words[found.optionsAt - 1]).toBe('run');
      }),
    );
  });
});

describe('a script of a shell that starts a container', () => {
  it.each([
    ['docker run image', 'docker run --name n image', 'docker "$@"'],
    ['exec docker run -i --rm "an image"', 'exec docker run --name n -i --rm "an image"', 'docker "$@"'],
    [
      "cd /x && A=secret DOCKER_HOST='tcp://far' exec docker -D run -e KEY=$KEY image",
      "cd /x && A=secret DOCKER_HOST='tcp://far' exec docker -D run --name n -e KEY=$KEY image",
      'DOCKER_HOST=tcp://far docker -D "$@"',
    ],
    [
      'docker pull x; exec nice docker run x',
      'docker pull x; exec nice docker run --name n x',
      'nice docker "$@"',
    ],
  ])('is parsed: %s', (script, changed, removing) => {
    for (const [shell, options] of [
      ['bash', ['-c']],
      ['/bin/sh', ['-l', '-c']],
      ['zsh', ['-lc']],
    ] as const) {
      const found = readContainerScript(shell, [...options, script]);
      expect(found?.withOptions(['--name', 'n'])).toEqual([...options, changed]);
      expect(found?.general).toEqual([...options, removing, 'sh']);
    }
  });

  it.each([
    ['cmd', ['/d', '/s', '/c']],
    ['powershell.exe', ['-NoProfile', '-Command']],
    ['pwsh', ['-c']],
  ])('is parsed for %s, which takes the tool and its arguments apart too', (shell, options) => {
    const found = readContainerScript(shell, [...options, 'docker -D run -i image']);
    expect(found?.withOptions(['--name', 'n'])).toEqual([...options, 'docker -D run --name n -i image']);
    expect(found?.general).toEqual([...options, 'docker', '-D']);
  });

  it('is parsed behind wrappers, whose variables are not kept', () => {
    const found = readContainerScript('env', ['TOKEN=secret', 'nice', 'sh', '-c', 'docker run image']);
    expect(found?.withOptions([])[4]).toMatch(/^docker run {1,2}image$/);
    expect(found?.general).toEqual(['nice', 'sh', '-c', 'docker "$@"', 'sh']);
    expect(readContainerScript('wsl', ['sh', '-c', 'docker run image'])).toBeUndefined();
  });

  it('is found by its contents, and its options are quoted', () => {
    const found = readContainerScript('sh', ['-c', 'docker run --name "mine" --rm image', 'sh', 'more']);
    expect([found?.name, found?.removesItself]).toEqual(['mine', true]);
    expect(found?.withOptions(['--cidfile', "/a b'c"])[1]).toBe(
      String.raw`docker run --cidfile '/a b'\''c' --name "mine" --rm image`,
    );
  });

  it.each([
    'docker run a & docker run b; docker run c',
    'docker run a; docker run b',
    'echo docker run image',
    'if true; then docker run image; fi',
    'docker run $(cat image)',
    'docker run image | cat',
    'docker run --cidfile "$F" image',
    "docker run 'image",
    '# docker run image',
    'server',
    '',
  ])('is unchanged if it is not certain: %s', (script) => {
    expect(readContainerScript('sh', ['-c', script])).toBeUndefined();
  });

  it('is read in linear time', () => {
    for (const part of ["'", '"', '\\', 'a', ' ', ';', '"\\', "''"])
      expect(readContainerScript('sh', ['-c', part.repeat(20_000)])).toBeUndefined();
  });
});

describe('a container that may outlive its server', () => {
  it.each([
    ['exec', 'docker', ['exec', '-i', 'c', 'server']],
    ['exec', 'podman', ['start', '-ai', 'c']],
    ['run', 'docker', ['compose', 'run', '--name', 'mine', 'x']],
    ['run', 'wsl', ['docker', 'run', '--name', 'mine', 'image']],
    ['run', 'wsl', ['bash', '-c', 'docker run -i image']],
    ['run', 'ssh', ['far', 'docker run -i image']],
    ['run', 'npx', ['-y', 'supergateway', '--stdio', 'docker run -i image']],
    ['run', 'sh', ['-c', 'if true; then docker run -i image; fi']],
    [undefined, 'docker', ['run', '-i', '--name', 'mine', 'image']],
    [undefined, 'docker-compose', ['run', 'x']],
    [undefined, 'sh', ['-c', 'docker run -i image']],
    [undefined, 'docker', ['mcp', 'gateway', 'run']],
    [undefined, 'npx', ['-y', 'mcp-docker', 'run', 'x']],
  ])('is known: %s, %s %j', (verb, command, args) => {
    expect(unboundContainer(command, args)).toBe(verb);
  });
});
