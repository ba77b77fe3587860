export { differenceText } from '../../../shared/model/activity/status-event.ts';
