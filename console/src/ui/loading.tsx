/** While a page or its data is on its way. */
export const PageLoading = () => (
  <div className="loading" role="status">
    <span className="visually-hidden">Loading</span>
    <span className="loading-bar" />
  </div>
);
