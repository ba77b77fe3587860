import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../style/tokens.css';
import '../style/global.css';
import '../style/utilities.css';
import '../style/rows.css';
import '../style/high-contrast.css';
import { createRoot } from 'react-dom/client';
import { createMirroring } from '../bridge/mirror.ts';
import { runPushedCommand } from '../command/run-pushed-command.ts';
import { App } from './app.tsx';
import { createWindowModel } from './create-window-model.ts';
import { restorePlace, savePlace } from './saved-place.ts';

const model = createWindowModel(window);
const mirroring = createMirroring(model);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');

restorePlace(model.view, localStorage);
savePlace(model.view, localStorage);
model.link.on('command.run', (command) => runPushedCommand(model, command));
mirroring.start();
createRoot(root).render(<App model={model} onReconnect={mirroring.start} />);
