/** How esbuild loads what is not code (scripts/build.mts). */
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.css';
