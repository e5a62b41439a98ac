import DefaultTheme from 'vitepress/theme';
import ApiReference from './ApiReference.vue';
import DecisionFilter from './DecisionFilter.vue';
import DiagramView from './DiagramView.vue';
import SiteLayout from './SiteLayout.vue';
import VersionList from './VersionList.vue';
import './colors.css';

export default {
  extends: DefaultTheme,
  Layout: SiteLayout,
  enhanceApp({ app }) {
    for (const [name, component] of Object.entries({ ApiReference, DecisionFilter, DiagramView, VersionList }))
      app.component(name, component);
  },
};
