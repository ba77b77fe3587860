export { type HubChannel, openHubChannel } from '../../engine/engine.ts';
