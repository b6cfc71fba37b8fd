import { goProgram } from './go-program.mjs';

export const { installed: installedHelm, ensureInstalled: ensureHelmInstalled } = goProgram({
  name: 'helm',
  source: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  check: ['version', '--short'],
  needs: 'Helm 3 is needed to render the chart',
  otherwise: ' (https://helm.sh/docs/intro/install), or, with Go,',
});
