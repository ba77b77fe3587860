import { expect, test } from 'vitest';
import { switchCommands } from '../../../../renderer/command/client/profile-commands.ts';
import { clientView } from '../../../helper/views.ts';
import { testModel } from '../../helper/test-model.ts';

test('[PB-TRAY-1] [PB-NAMES-1] the palette gives each client another profile, where nobody else has', async () => {
  const { model, link } = testModel();
  const profiles = [
    { name: 'coding', servers: {} },
    { name: 'writing', servers: {} },
  ];
  model.mirrors.profiles.setState({ profiles, clients: {} }, true);
  model.mirrors.clients.setState(
    [
      clientView('1', { name: 'cursor-vscode', profile: { name: 'coding', isKnown: true, isAsked: false } }),
      clientView('2', { name: 'fixed', profile: { name: 'coding', isKnown: true, isAsked: true } }),
    ],
    true,
  );
  const commands = switchCommands(model);
  expect(commands.map(({ title }) => title)).toEqual([
    'Cursor: give it everything',
    'Cursor: use profile writing',
  ]);
  commands[1]?.run(model);
  await Promise.resolve();
  expect(link.calls).toContainEqual({
    name: 'profile.assign',
    input: { client: 'cursor-vscode', profile: 'writing' },
  });
});
