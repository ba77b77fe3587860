/** Instructions to install a program that starts servers, by system. */
export interface InstallHelp {
  readonly title: string;
  readonly page: string;
  readonly commands: readonly { readonly system: 'macOS' | 'Linux' | 'Windows'; readonly command: string }[];
}

/** Returns help for a program that was not found; undefined for an unknown one. */
export function installHelp(program: string): InstallHelp | undefined {
  const name = program.split(/[\\/]/).at(-1) ?? program;
  return programs[name.replace(/\.(?:cmd|exe)$/i, '').toLowerCase()];
}

const node: InstallHelp = {
  title: 'Node.js',
  page: 'https://nodejs.org/en/download',
  commands: [
    { system: 'macOS', command: 'brew install node' },
    { system: 'Linux', command: 'sudo apt install nodejs npm' },
    { system: 'Windows', command: 'winget install OpenJS.NodeJS.LTS' },
  ],
};

const uv: InstallHelp = {
  title: 'uv',
  page: 'https://docs.astral.sh/uv/getting-started/installation/',
  commands: [
    { system: 'macOS', command: 'brew install uv' },
    { system: 'Linux', command: 'curl -LsSf https://astral.sh/uv/install.sh | sh' },
    { system: 'Windows', command: 'winget install --id=astral-sh.uv -e' },
  ],
};

const python: InstallHelp = {
  title: 'Python',
  page: 'https://www.python.org/downloads/',
  commands: [
    { system: 'macOS', command: 'brew install python' },
    { system: 'Linux', command: 'sudo apt install python3' },
    { system: 'Windows', command: 'winget install Python.Python.3.13' },
  ],
};

const docker: InstallHelp = {
  title: 'Docker',
  page: 'https://docs.docker.com/get-started/get-docker/',
  commands: [
    { system: 'macOS', command: 'brew install --cask docker' },
    { system: 'Linux', command: 'curl -fsSL https://get.docker.com | sh' },
    { system: 'Windows', command: 'winget install Docker.DockerDesktop' },
  ],
};

const bun: InstallHelp = {
  title: 'Bun',
  page: 'https://bun.sh',
  commands: [
    { system: 'macOS', command: 'brew install oven-sh/bun/bun' },
    { system: 'Linux', command: 'curl -fsSL https://bun.sh/install | bash' },
    { system: 'Windows', command: 'winget install Oven-sh.Bun' },
  ],
};

const deno: InstallHelp = {
  title: 'Deno',
  page: 'https://docs.deno.com/runtime/getting_started/installation/',
  commands: [
    { system: 'macOS', command: 'brew install deno' },
    { system: 'Linux', command: 'curl -fsSL https://deno.land/install.sh | sh' },
    { system: 'Windows', command: 'winget install DenoLand.Deno' },
  ],
};

const git: InstallHelp = {
  title: 'Git',
  page: 'https://git-scm.com/downloads',
  commands: [
    { system: 'macOS', command: 'brew install git' },
    { system: 'Linux', command: 'sudo apt install git' },
    { system: 'Windows', command: 'winget install Git.Git' },
  ],
};

const programs: Readonly<Partial<Record<string, InstallHelp>>> = {
  node,
  npm: node,
  npx: node,
  uv,
  uvx: uv,
  python,
  python3: python,
  docker,
  bun,
  bunx: bun,
  deno,
  git,
};
