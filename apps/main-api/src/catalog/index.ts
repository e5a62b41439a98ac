export { FeaturesView } from './dto/features.view.js';
export { CatalogModule } from './catalog.module.js';
export { cellFor, featuresOf } from './serving-cells.js';
