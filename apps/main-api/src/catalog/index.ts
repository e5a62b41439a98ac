export { FeaturesView } from './dto/features.view.js';
export { CatalogModule } from './catalog.module.js';
export { featuresOf } from './serving-cells.js';
