export { differenceText } from '../../shared/model/happening.ts';
