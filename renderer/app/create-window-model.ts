import { connectBridge } from '../bridge/connect-bridge.ts';
import { isMac } from '../lib/key-combo.ts';
import { createModel, type Model } from '../store/model.ts';
import { createTicker, pageTickerPorts } from '../store/ticker.ts';
import { toastNotifier } from './toast-notifier.tsx';

/** Creates the model of a browser window: its bridge, clock, toasts and keyboard. */
export function createWindowModel(page: Window): Model {
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
