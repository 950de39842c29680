// Who may use a device or a port of this host: one at a time, whatever user and container it is of.
//
// A lease is a lock on an open file in a folder that all of them share. The system drops it with the last
// process that has the file open, so nothing that is killed leaves one behind. What stands in the file says
// who holds it, for people; it says nothing where there is no lock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/model/runs/device.h"

namespace gate::devices {

struct Holder {
  std::int64_t pid = 0;
  std::string host;  // or container
  std::string user;
  std::string run;
  std::string case_name;
  std::string since;       // ISO 8601
  std::string owner = {};  // of the file, where that says nothing and is another user's
};

// Return `pid 71 of ada on host a (case gpt, run 20260301-101502, since 2026-03-01T10:15:02Z)`.
Sentence text(const Holder& holder);

// Return the name of the device's lease: the same in every container of the host where the tool tells the
// bus.
std::string lease_of(const Device& device);

// Return the name of the lease of a TCP port.
std::string lease_of_port(int port);

class Leases {
 public:
  virtual ~Leases() = default;  // gives all of them back

  virtual const std::string& folder() const = 0;

  // Take the lease. Returns nothing where it is the caller's now, and who holds it where that is another
  // process. Fails where the file cannot be opened, written or locked, or has a second name, so that
  // something else would be written over.
  virtual Result<std::optional<Holder>> take(const std::string& name, const Holder& me) = 0;

  // Take each of these leases. Returns as take(), for each name; another one's lease keeps none from being
  // taken.
  virtual std::vector<Result<std::optional<Holder>>> take_each(const std::vector<std::string>& names,
                                                               const Holder& me);

  // Give back a lease that was taken.
  virtual void give_back(const std::string& name) = 0;

  // A lease that was taken, and whose file is not there any more: somebody removed it, or its folder.
  struct Displaced {
    std::string name = {};
    std::optional<Holder> by = {};  // who has it now; nothing where it was taken again
    std::string trouble = {};       // why it cannot be taken again; "" where it was, or somebody has it
  };

  // Take again what was displaced. Returns all that was, those included that are still somebody else's.
  virtual std::vector<Displaced> retake() = 0;

  // Return who holds the lease; nothing where nobody does, or where it was never taken.
  virtual std::optional<Holder> holder(const std::string& name) const = 0;
};

// The leases of this host.
class FolderLeases : public Leases {
 public:
  // Use the folder; it is made, for all users, where it is not there. `opened` is told of each file that may
  // be locked from then on. Fails where the folder cannot be made or used.
  static Result<FolderLeases> open(const std::string& folder,
                                   std::function<void(int descriptor)> opened = {});

  FolderLeases(FolderLeases&& other) noexcept;
  FolderLeases& operator=(FolderLeases&&) = delete;
  ~FolderLeases() override;

  const std::string& folder() const override { return folder_; }
  Result<std::optional<Holder>> take(const std::string& name, const Holder& me) override;
  void give_back(const std::string& name) override;
  std::vector<Displaced> retake() override;
  std::optional<Holder> holder(const std::string& name) const override;

 private:
  FolderLeases(std::string folder, std::function<void(int)> opened);
  Status make_folder() const;
  std::string path_of(const std::string& name) const;
  Result<int> file_of(const std::string& name);
  Result<int> present_file_of(const std::string& name);
  void forget(const std::string& name);

  std::string folder_;
  std::function<void(int)> opened_;
  std::map<std::string, int> files_;     // descriptors, opened once
  std::map<std::string, Holder> taken_;  // the caller's own
  std::set<std::string> displaced_;      // of these, that somebody else has got
};

// Return the folder of this host's leases: GATE_LEASE_DIR, else one that all users share.
std::string lease_folder();

}  // namespace gate::devices
