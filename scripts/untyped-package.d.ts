// What tsconfig.unchecked.json takes for packages whose types src merely names.
declare const anything: any;
export default anything;
