// Builds .env.example and docs/operate/configuration.md from the table of settings.
const ENV_INTRO = `# Every setting with its default. A copy as .env changes nothing: empty means absent.
# Generated from src/platform/config/settings.ts by \`npm run docs:settings\`: do not change it by hand.
`;

const PAGE_INTRO = `# Configuration

Generated from [src/platform/config/settings.ts](../../src/platform/config/settings.ts) by \`npm run docs:settings\`: do not change it by hand.

Settings are environment variables, or lines of a file \`.env\` ([.env.example](../../.env.example)). An empty value counts as absent. A
bad value stops the start with one line. Defaults are in brackets. \`node dist/cli/main.js config list\` shows all values and masks secrets;
\`--json\` is for scripts.
`;

const shown = (text) => (text === '' ? 'none' : text);

/** The two defaults of a setting whose default depends on the database. */
const twoDefaults = ([embedded, server]) =>
  `Empty: ${shown(embedded)} with the embedded PostgreSQL, ${shown(server)} with DATABASE_URL.`;

const docOf = ({ doc, default: fallback }) => (Array.isArray(fallback) ? `${doc} ${twoDefaults(fallback)}` : doc);
const textOf = ({ default: fallback }) => (typeof fallback === 'string' ? fallback : '');

export function envExample(groups) {
  const parts = Object.entries(groups).map(([title, settings]) => {
    const lines = Object.entries(settings).map(
      ([name, setting]) => `# ${docOf(setting)}\n${name}=${textOf(setting)}\n`,
    );
    return `# --- ${title} ---\n\n${lines.join('')}`;
  });
  return [ENV_INTRO, ...parts].join('\n');
}

/** Formats names of settings and paths as code, and pages of docs as links. */
const markdown = (text) =>
  text
    .replace(/\bdocs\/operate\/([a-z-]+\.md)/g, '[$1]($1)')
    .replace(/\bdocs\/([a-z]+\/([a-z-]+\.md))/g, '[$2](../$1)')
    .replace(/(?<![\w/])[A-Z]+(_[A-Z]+)+\b|\S+:\/\/\S*[^\s,.:;)]|(?<=[\s(]|^)\/[a-z.\-/…]+[a-z…]/g, '`$&`');

const factsOf = (setting) =>
  [textOf(setting) && `\`${textOf(setting)}\``, setting.isSecret && 'secret'].filter(Boolean).join(', ');

export function configurationPage(groups) {
  const sections = Object.entries(groups).map(([title, settings]) => {
    const lines = Object.entries(settings).map(([name, setting]) => {
      const facts = factsOf(setting);
      return `- **\`${name}\`**${facts && ` (${facts})`}: ${markdown(docOf(setting))}\n`;
    });
    return `## ${title}\n\n${lines.join('')}`;
  });
  return [PAGE_INTRO, ...sections].join('\n');
}
