import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../style/tokens.css';
import '../style/global.css';
import '../style/utilities.css';
import '../style/rows.css';
import '../style/high-contrast.css';
import { createRoot } from 'react-dom/client';
import { connectBridge } from '../bridge/connect-bridge.ts';
import { createMirroring } from '../bridge/mirror.ts';
import { runPushedCommand } from '../command/run-pushed-command.ts';
import { isMac } from '../lib/key-combo.ts';
import { createModel, type Model } from '../store/model.ts';
import { createTicker, pageTickerPorts } from '../store/ticker.ts';
import { App } from './app.tsx';
import { restorePlace, savePlace } from './saved-place.ts';
import { toastNotifier } from './toast-notifier.tsx';

const model = createWindowModel(window);
const mirroring = createMirroring(model);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');

restorePlace(model.view, localStorage);
savePlace(model.view, localStorage);
model.link.on('command.run', (command) => runPushedCommand(model, command));
mirroring.start();
createRoot(root).render(<App model={model} onReconnect={mirroring.start} />);

/** Creates the model of a browser window: its bridge, clock, toasts and keyboard. */
function createWindowModel(page: Window): Model {
  const model: Model = createModel({
    link: connectBridge(page.patchbay, (problem) =>
      model.linkState.setState({ state: { kind: 'lost', problem } }),
    ),
    notify: toastNotifier(() => model),
    ticker: createTicker(pageTickerPorts(page.document)),
    now: Date.now,
    mac: isMac(page.navigator.platform),
  });
  return model;
}
