import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', 'packages/client/src/schema.ts', 'dist-bench/', 'node_modules/', 'coverage/', '.data/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Nest modules are classes that carry only a decorator.
      '@typescript-eslint/no-extraneous-class': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings only in src/platform/config.' },
        { object: 'URL', property: 'canParse', message: 'It is wrong on Node 20: use parsedUrl of src/shared.' },
      ],
    },
  },
  {
    // decorator metadata needs the value imports of injected classes
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['src/platform/config/**', 'src/cli/**', 'test/**', 'bench/**', 'packages/embedded-postgres/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['src/cli/**', 'bench/**', 'test/support/**', 'test/explore/**'], rules: { 'no-console': 'off' } },
  {
    // code that runs in the browser
    files: ['console/src/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['examples/{checkout,provider-mollie}/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['examples/events-to-queue/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['Buffer', 'URL', 'URLSearchParams', 'console', 'fetch', 'process'].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['examples/provider-mollie/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['AbortSignal', 'Buffer', 'URLSearchParams', 'clearTimeout', 'setTimeout', 'structuredClone'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['examples/checkout/page/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'fetch', 'history', 'location', 'navigator', 'screen', 'setTimeout', 'URLSearchParams'].map(
          (name) => [name, 'readonly'],
        ),
      ),
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', module: 'writable', require: 'readonly' },
    },
  },
);
