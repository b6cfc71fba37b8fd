// What tsconfig.unchecked.json takes for packages of which src imports types alone.
declare const anything: unknown;
export default anything;
