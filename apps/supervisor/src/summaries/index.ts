export { SummariesModule } from './summaries.module.js';
